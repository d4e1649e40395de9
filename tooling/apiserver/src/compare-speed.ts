/**
 * Measures our server beside a kube-apiserver, one after the other in rounds whose order changes:
 *
 *   pnpm --filter @kubeadmit/apiserver-tools speed --theirs PROGRAM [--ours FILE] [--node PATH] [--rounds 3] [--objects 500]
 *
 * Both keep their data in a folder with durable writes, run 16 pod-security policies, and take pods as JSON over HTTP/1.1
 * with keep-alive. Times of a machine that others use say little: seconds of the processor, of all threads of the
 * server, stand beside them. Linux only, since these come from /proc.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFolder } from '@kubeadmit/test-support';
import { memoryOf, processorSeconds } from './speed/process-usage.ts';
import { type Launched, launchOurs, launchTheirs } from './speed/servers.ts';

const bench = new URL('../../../packages/admission/bench/', import.meta.url);
const program = fileURLToPath(new URL('../../../apps/apiserver/dist/main.js', import.meta.url));

/** One figure: milliseconds that went by, and those of the processor, for each operation. */
interface Figure {
  readonly wall: number;
  readonly processor: number;
}

type Figures = Readonly<Record<string, Figure>>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ours: { type: 'string', default: program },
      node: { type: 'string', default: process.execPath },
      theirs: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      objects: { type: 'string', default: '500' },
    },
  });
  const { ours, node, theirs } = values;
  const servers = {
    ours: (folder: string) => launchOurs(node, ours, folder),
    ...(theirs === undefined ? {} : { theirs: (folder: string) => launchTheirs(theirs, folder) }),
  };
  const measured: Record<string, Figures[]> = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = Object.entries(servers);
    if (round % 2 === 1) order.reverse();
    for (const [name, launch] of order) {
      const figures = await withFolder((folder) => measure(launch, folder, Number(values.objects)));
      measured[name] = [...(measured[name] ?? []), figures];
      process.stderr.write(`round ${round + 1} ${name} ${JSON.stringify(figures)}\n`);
    }
  }
  print(measured);
}

async function measure(
  launch: (folder: string) => Promise<Launched>,
  folder: string,
  count: number,
): Promise<Figures> {
  const begun = performance.now();
  const server = await launch(folder);
  const figures: Record<string, Figure> = {};
  try {
    await untilReady(server);
    figures['start (ms)'] = {
      wall: performance.now() - begun,
      processor: processorSeconds(server.processId) * 1000,
    };
    await setUp(server);
    const take = async (name: string, clients: number, one: (i: number) => Promise<void>) => {
      figures[`${name}, ${clients} clients`] = await timed(server, { clients, count, one });
    };
    // The remaining measurements apply to a warm server, whose JavaScript has been compiled.
    await take('create (just started)', 1, (i) => create(server, `pod-0-${i}`));
    await take('get (just started)', 1, (i) => get(server, `/pods/pod-0-${i}`));
    for (const clients of [1, 16]) {
      await take('create', clients, (i) => create(server, `pod-${clients}-${i}`));
      await take('get', clients, (i) => get(server, `/pods/pod-${clients}-${i}`));
    }
    await take('patch', 1, (i) => patch(server, `pod-1-${i}`, i));
    const lists = Math.ceil(count / 50);
    const list = (): Promise<void> => get(server, '/pods');
    figures['list of all'] = await timed(server, { clients: 1, count: lists, one: list });
    const { now, most } = memoryOf(server.processId);
    figures['memory (MiB): now, most'] = { wall: now, processor: most };
  } finally {
    await server.stop();
  }
  return figures;
}

async function timed(
  server: Launched,
  work: {
    readonly clients: number;
    readonly count: number;
    readonly one: (index: number) => Promise<void>;
  },
): Promise<Figure> {
  const { clients, count, one } = work;
  const processor = processorSeconds(server.processId);
  const begun = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return {
    wall: (performance.now() - begun) / count,
    processor: ((processorSeconds(server.processId) - processor) / count) * 1000,
  };
}

async function untilReady(server: Launched): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    const answer = await server.ask('GET', '/readyz').catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(10);
  }
  throw new Error('the server does not get ready');
}

/** Policies that let our pod through and refuse privileged ones; resolves when they act. */
async function setUp(server: Launched): Promise<void> {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  await must(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const { name, ...spec } of readJson('pod-security.json') as { name: string }[]) {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'] };
    const matchConstraints = { resourceRules: [{ ...rule, resources: ['pods'] }] };
    const policy = { metadata: { name }, spec: { matchConstraints, ...spec } };
    const kind = 'ValidatingAdmissionPolicy';
    await must(server, 'POST', `${group}/validatingadmissionpolicies`, {
      apiVersion,
      kind,
      ...policy,
    });
    await must(server, 'POST', `${group}/validatingadmissionpolicybindings`, {
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    });
  }
  const { pod } = readJson('objects.json') as { pod: { spec: object } };
  const hostile = { ...pod, metadata: { name: 'x' }, spec: { ...pod.spec, hostNetwork: true } };
  for (let attempt = 0; attempt < 600; attempt++) {
    const { status } = await server.ask('POST', `${pods}?dryRun=All`, hostile);
    if (status === 422) return;
    await sleep(100);
  }
  throw new Error('the policies do not act');
}

const pods = '/api/v1/namespaces/shop/pods';

function create(server: Launched, name: string): Promise<void> {
  const { pod } = readJson('objects.json') as { pod: { metadata: object } };
  return must(server, 'POST', pods, { ...pod, metadata: { ...pod.metadata, name } });
}

function get(server: Launched, path: string): Promise<void> {
  return must(server, 'GET', `/api/v1/namespaces/shop${path}`);
}

function patch(server: Launched, name: string, i: number): Promise<void> {
  const change = { metadata: { annotations: { 'example.com/revision': `${i}-changed` } } };
  return must(server, 'PATCH', `${pods}/${name}`, change);
}

async function must(server: Launched, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await server.ask(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

const files = new Map<string, unknown>();

function readJson(name: string): unknown {
  const known = files.get(name) ?? JSON.parse(readFileSync(new URL(name, bench), 'utf8'));
  files.set(name, known);
  return known;
}

function print(measured: Readonly<Record<string, readonly Figures[]>>): void {
  const names = Object.keys(measured['ours']?.[0] ?? {});
  for (const name of names) {
    const cells = Object.entries(measured).map(([who, rounds]) => {
      const wall = median(rounds.map((each) => each[name]?.wall ?? 0));
      const processor = median(rounds.map((each) => each[name]?.processor ?? 0));
      return `${who} ${wall.toFixed(2)} | ${processor.toFixed(2)}`;
    });
    process.stdout.write(`${name.padEnd(28)} ${cells.join('   ')}\n`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

await main();
