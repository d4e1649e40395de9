import { readFileSync, writeFileSync } from 'node:fs';
import { runProgram } from '@kubeadmit/test-support';
import {
  chart,
  plainManifests,
  release,
  rendering,
  renderingHead,
  valuesFile,
  valuesFiles,
} from './chart.ts';
import { withApiServer } from './server/api-server.ts';

const USAGE = `usage: HELM=program [SERVER=program KUBECTL=program] render

Renders the chart with each file of values and records it, makes the plain manifests, and has wrong values
refused. With a kube-apiserver and kubectl, has that take every rendering with strict validation, and
installs the chart.`;

// Resources of other projects, whose kinds a plain server does not know.
const foreign = /^apiVersion: (?:cert-manager\.io|monitoring\.coreos\.com)\//m;

const { HELM, SERVER, KUBECTL } = process.env;
if (HELM === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await record(HELM);
}

async function record(helm: string): Promise<number> {
  for (const name of valuesFiles()) {
    const text = await render(helm, ['--values', valuesFile(name)]);
    writeFileSync(rendering(name), `${renderingHead(name)}\n${text}`);
  }
  const plain = await render(helm, ['--no-hooks', '--set', 'cleanup.enabled=false']);
  writeFileSync(plainManifests, asPlain(plain));
  const problems = await wronglyTaken(helm);
  if (SERVER !== undefined && KUBECTL !== undefined) {
    problems.push(...(await install(helm, SERVER, KUBECTL)));
  }
  for (const problem of problems) console.error(problem);
  console.log(`${valuesFiles().length} renderings, ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

async function render(helm: string, options: readonly string[]): Promise<string> {
  const { name, namespace } = release;
  const version = ['--kube-version', '1.37.0'];
  const args = ['template', name, chart, '--namespace', namespace, ...version, ...options];
  const { exitCode, stdout, stderr } = await runProgram(helm, args);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

// Removes the parts that only a release of Helm has.
function asPlain(text: string): string {
  const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${release.namespace}}\n`;
  const head =
    '# The webhook without Helm. Written by tooling/webhook/src/render.ts from the chart.\n';
  return `${head}${namespace}${text
    .replaceAll(/^# Source: .*\n/gm, '')
    .replaceAll(/^ +app\.kubernetes\.io\/managed-by: Helm\n/gm, '')}`;
}

// The values schema keeps mistakes from becoming objects.
async function wronglyTaken(helm: string): Promise<string[]> {
  const wrong = JSON.parse(readFileSync(valuesFile('wrong.json'), 'utf8')) as readonly string[];
  const taken: string[] = [];
  for (const value of wrong) {
    const refused = await render(helm, ['--set-json', value]).then(
      () => false,
      () => true,
    );
    if (!refused) taken.push(`the chart takes ${value}`);
  }
  return taken;
}

async function install(helm: string, program: string, kubectl: string): Promise<string[]> {
  const problems: string[] = [];
  const run = async (what: string, command: string, args: readonly string[], stdin = '') => {
    const { exitCode, stderr } = await runProgram(command, args, { stdin });
    if (exitCode !== 0) problems.push(`${what}: ${stderr}`);
  };
  await withApiServer(program, async (server) => {
    const access = ['--kubeconfig', server.kubeconfig];
    await run('namespace', kubectl, [...access, 'create', 'namespace', release.namespace]);
    const strictly = ['apply', '--dry-run=server', '--validate=strict', '--filename', '-'];
    const files = [...valuesFiles().map(rendering), plainManifests];
    for (const file of files) {
      const known = readFileSync(file, 'utf8')
        .split(/^---$/m)
        .filter((document) => !foreign.test(document));
      await run(file, kubectl, [...access, ...strictly], known.join('---'));
    }
    const { name, namespace } = release;
    const target = [...access, '--namespace', namespace];
    await run('install', helm, ['install', name, chart, ...target]);
    await run('upgrade', helm, ['upgrade', name, chart, ...target, '--set', 'replicas=3']);
    const made = ['--set', 'certificate.source=helm'];
    await run('upgrade', helm, ['upgrade', name, chart, ...target, ...made]);
    // Nothing runs the job of the hook on a server without controllers.
    await run('uninstall', helm, ['uninstall', name, ...target, '--no-hooks']);
  });
  return problems;
}
