import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@kubeadmit/test-support';
import type { JsonObject } from '../server/json.ts';
import { type Running, startProgram } from '../server/processes.ts';

/** Where the guide is followed. */
export interface GuideCluster {
  /** The text of a kubeconfig. */
  readonly kubeconfig: string;
  ask(
    method: string,
    path: string,
    sent?: { readonly body?: unknown; readonly contentType?: string },
  ): Promise<{ readonly code: number; readonly object: JsonObject }>;
  /** Runs a `kubectl` command with a text on standard input, and returns its output. */
  kubectl(args: readonly string[], input: string): Promise<string>;
}

/** One command of the guide, and its output. */
export interface GuideStep {
  readonly command: string;
  readonly output: string;
  /** The output according to the guide, if it shows any. */
  readonly expected: string | undefined;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = join(root, 'apps/docs-site/guides/webhook.md');
const program = join(root, 'apps/webhook/dist/main.js');
const deployment = '/apis/apps/v1/namespaces/policies/deployments/kubeadmit';
const account = '/api/v1/namespaces/policies/serviceaccounts/kubeadmit';

/**
 * Follows the guide from nothing to the first denied pod, command by command. Where a node would start the pods of
 * the Deployment, the program is started here, with the arguments and the rights that the pod has.
 */
export async function followGuide(cluster: GuideCluster, folder: string): Promise<GuideStep[]> {
  const steps: GuideStep[] = [];
  let pod: Running | undefined;
  try {
    for (const { command, input, expected } of guideCommands()) {
      if (command.includes('rollout status')) pod = await playNode(cluster, folder);
      if (expected !== undefined) await untilActing(cluster);
      const [name, ...args] = command.split(' ');
      if (name !== 'kubectl') throw new Error(`not a command of kubectl: ${command}`);
      const output = await cluster.kubectl(args, input);
      steps.push({ command, output, expected });
    }
    return steps;
  } finally {
    await pod?.stop();
  }
}

interface Command {
  readonly command: string;
  readonly input: string;
  readonly expected: string | undefined;
}

/**
 * Returns the commands of the guide's first section; the last command of a block has the output that follows it.
 */
function guideCommands(): readonly Command[] {
  const text = readFileSync(page, 'utf8');
  const [, section = ''] = /## Install it and deny a pod\n([\s\S]*?)\n## /.exec(text) ?? [];
  const blocks = section.matchAll(/```sh\n([\s\S]*?)```(?:\n+```text\n([\s\S]*?)```)?/g);
  return [...blocks].flatMap(([, shell = '', output]) => {
    const commands = [...shell.matchAll(/^(kubectl .*?)(?: <<'EOF'\n([\s\S]*?)^EOF)?$/gm)].map(
      ([, command = '', input = '']) => ({ command, input, expected: undefined }),
    );
    const last = commands.at(-1);
    return last === undefined
      ? []
      : [...commands.slice(0, -1), { ...last, expected: output?.trimEnd() }];
  });
}

// A policy acts a moment after it was created.
async function untilActing(cluster: GuideCluster): Promise<void> {
  const spec = { containers: [{ name: 'a', image: 'a:latest' }] };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'probe' }, spec };
  for (let attempt = 0; attempt < 300; attempt++) {
    const path = '/api/v1/namespaces/shop/pods?dryRun=All';
    if ((await cluster.ask('POST', path, { body })).code >= 400) return;
    await sleep(100);
  }
  throw new Error('the policy does not act');
}

async function playNode(cluster: GuideCluster, folder: string): Promise<Running> {
  const { object } = await cluster.ask('GET', deployment);
  const { spec, metadata } = object as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: JsonObject[] } } };
    readonly metadata: { readonly generation: number };
  };
  const [container = {}] = spec.template.spec.containers;
  const port = await freePort();
  const args = (container['args'] as string[]).flatMap((each) =>
    hereInstead(each, { port, folder }),
  );
  const pod = await startProgram(
    process.execPath,
    [
      ...[program, ...args, '--kubeconfig', await podKubeconfig(cluster, folder)],
      ...['--listen', `127.0.0.1:${port}`, '--metrics-listen', '127.0.0.1:0'],
    ],
    '"listening"',
    { POD_NAMESPACE: 'policies' },
  );
  const { operation } = JSON.parse(pod.line) as { readonly operation: number };
  await untilReady(operation);
  const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'];
  const status = {
    observedGeneration: metadata.generation,
    ...Object.fromEntries(counts.map((name) => [name, 2])),
  };
  await done(
    cluster.ask('PATCH', `${deployment}/status`, {
      contentType: 'application/merge-patch+json',
      body: { status },
    }),
  );
  return pod;
}

// Nothing leads to services here, and volumes are folders.
function hereInstead(
  arg: string,
  { port, folder }: { readonly port: number; readonly folder: string },
): readonly string[] {
  if (arg === '--in-cluster') return [];
  if (arg.startsWith('--service=')) return [`--webhook-url=https://127.0.0.1:${port}`];
  return arg.startsWith('--state=') ? [`--state=${join(folder, 'state')}`] : [arg];
}

// As a kubelet asks.
async function untilReady(port: number): Promise<void> {
  let text = '';
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz?verbose`);
    text = await answer.text();
    if (answer.status === 200) return;
    await sleep(200);
  }
  throw new Error(`the pod does not get ready: ${text}`);
}

async function done(asked: ReturnType<GuideCluster['ask']>): Promise<void> {
  const { code, object } = await asked;
  if (code >= 300) throw new Error(String(object['message']));
}

// With the rights of the pod's service account, and no others.
async function podKubeconfig(cluster: GuideCluster, folder: string): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { object } = await cluster.ask('POST', `${account}/token`, { body });
  const { token } = object['status'] as { readonly token: string };
  const [, server] = /server: "?([^"\s,}]+)/.exec(cluster.kubeconfig) ?? [];
  const [, authority] = /certificate-authority-data: (\S+)/.exec(cluster.kubeconfig) ?? [];
  const trust =
    authority === undefined
      ? 'insecure-skip-tls-verify: true'
      : `certificate-authority-data: ${authority}`;
  const file = join(folder, 'pod');
  writeFileSync(
    file,
    `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "${server}", ${trust}}}]
users: [{name: u, user: {token: ${token}}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`,
  );
  return file;
}
