import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@kubeadmit/test-support';
import { startProgram } from './server/processes.ts';

const USAGE = `usage: KYVERNO=folder kyverno -- COMMAND ...

Starts the API server of this repository with the definitions of Kyverno and of its reports, and the
webhook in the place of Kyverno: registered, with background work, events and reports. Then runs COMMAND
with KUBECONFIG set, and returns its exit code. KYVERNO is a checkout of kyverno/kyverno.

  KYVERNO=~/kyverno pnpm --filter @kubeadmit/webhook-tools kyverno -- \\
    chainsaw test ~/kyverno/test/conformance/chainsaw/validate

LOG=file keeps the log of the webhook. Build the programs first (pnpm build).`;

const programs = fileURLToPath(new URL('../../../apps/', import.meta.url));
const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: kyverno\n';
const scanSeconds = 5;

const { KYVERNO, LOG } = process.env;
const [command, ...args] = process.argv.slice(process.argv.indexOf('--') + 1);
if (KYVERNO === undefined || command === undefined || !process.argv.includes('--')) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await run(KYVERNO, command, args);
}

async function run(kyverno: string, program: string, given: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadmit-kyverno-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const definitions = join(kyverno, 'config/crds');
  if (!existsSync(definitions)) throw new Error(`${definitions} does not exist`);
  const namespaceFile = join(folder, 'namespace.yaml');
  writeFileSync(namespaceFile, namespace);
  const server = await startProgram(
    process.execPath,
    [
      join(programs, 'apiserver/dist/main.js'),
      ...['--in-memory', '--listen', '127.0.0.1:0', '--write-kubeconfig', kubeconfig],
      ...['--load', definitions, '--load', namespaceFile],
    ],
    'serving',
  );
  try {
    const port = await freePort();
    const webhook = await startProgram(
      process.execPath,
      [
        join(programs, 'webhook/dist/main.js'),
        ...['--kubeconfig', kubeconfig, '--no-native-policies', '--no-own-policies'],
        ...['--register', 'kubeadmit', '--webhook-url', `https://127.0.0.1:${port}`],
        ...['--self-signed', join(folder, 'tls'), '--dns-name', '127.0.0.1'],
        ...['--listen', `127.0.0.1:${port}`, '--metrics-listen', '127.0.0.1:0'],
        ...['--exception-namespace', '*', '--background', '--events', '--as-kyverno'],
        ...['--reports', 'wgpolicyk8s.io', '--scan-interval', String(scanSeconds)],
        ...['--shutdown-delay', '0', '--log-allows', '1', '--denial-messages'],
      ],
      '"listening"',
      { POD_NAMESPACE: 'kyverno' },
      LOG,
    );
    try {
      return await runCommand(program, given, kubeconfig);
    } finally {
      await webhook.stop();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

function runCommand(
  program: string,
  given: readonly string[],
  kubeconfig: string,
): Promise<number> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(program, given, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
