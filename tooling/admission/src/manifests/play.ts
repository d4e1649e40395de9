import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import {
  type JsonAnswer,
  type KubeApiserver,
  type KubeClient,
  startKubeApiserver,
} from '@kubeadmit/apiserver-tools/kube-apiserver';
import { admitObject, prepareChain } from '@kubeadmit/check';
import { Random } from '@kubeadmit/random';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { definitions, type MadeManifest, makeManifest } from './manifests.ts';
import { makePolicies } from './policies.ts';

// Compares the verdicts of `check` on random manifests with those of a kube-apiserver that has the same policies. The
// requests are creations, updates and deletions with dryRun=All, and `kubectl apply --dry-run=server`.

const usage = `usage: SERVER=program KUBECTL=program play-manifests [--count N] [--policies N] [--seed N] [--limit N]`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    policies: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    limit: { type: 'string', default: '10' },
  },
});

/** The verdict about a request, as either side gives it. */
interface Verdict {
  /** Empty if the request is allowed. */
  readonly message: string;
  /** Code, reason and details of a denial as JSON. */
  readonly status: string;
  readonly warnings: readonly string[];
}

interface Played {
  readonly operation: string;
  readonly manifest: MadeManifest;
  readonly server: Verdict;
  readonly own: Verdict;
}

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
type Chain = Awaited<ReturnType<typeof prepareChain>>;

const namespaces: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: named('default') } },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { ...named('shop'), team: 'shop' } },
  },
];

function named(name: string): Readonly<Record<string, string>> {
  return { 'kubernetes.io/metadata.name': name };
}

// The plugins that need controllers or nodes; the other default plugins stay on.
const plugins = 'ServiceAccount,TaintNodesByCondition,Priority,DefaultTolerationSeconds';
const [server = '', kubectl = ''] = [process.env['SERVER'], process.env['KUBECTL']];

async function play(started: KubeApiserver): Promise<number> {
  const { client } = started;
  const random = new Random(Number(values.seed));
  const policies = makePolicies(random, Number(values.policies));
  const made = Array.from({ length: Number(values.count) }, (_, number) =>
    inNamespace(random, makeManifest(random, number)),
  );
  for (const object of [...namespaces.slice(1), ...definitions]) await send(client, 'POST', object);
  await untilServed(client);
  const chain = await prepareChain({
    resources: [...namespaces, ...definitions, ...policies],
    clock: Date.now,
  });
  const tally = new Tally();
  const bindings = policies.filter(({ kind }) => String(kind).endsWith('Binding'));
  for (const object of policies) {
    const answer = await send(client, 'POST', object);
    if (answer.code !== 201) throw new Error(JSON.stringify(answer.body));
  }
  await untilPoliciesAct(client, true);
  const valid: MadeManifest[] = [];
  for (const manifest of made) {
    const answer = await sendTo(client, 'POST', manifest, manifest.object);
    const played = playedOf(chain, answer, { operation: 'CREATE', manifest });
    tally.add(played);
    if (played !== undefined) valid.push(manifest);
  }
  await playApply(started, chain, valid, tally);
  for (const { apiVersion, kind, metadata } of bindings) {
    const { name } = metadata as { readonly name: string };
    await client.ask('DELETE', `${listPath(String(apiVersion), resourceOf(String(kind)))}/${name}`);
  }
  await untilPoliciesAct(client, false);
  const stored: MadeManifest[] = [];
  for (const manifest of made) {
    const answer = await sendTo(client, 'POST', manifest, manifest.object, '');
    const isSettled = !written.has(String(manifest.object['kind']));
    if (answer.code === 201 && isSettled) stored.push(manifest);
  }
  for (const object of bindings) await send(client, 'POST', object);
  await untilPoliciesAct(client, true);
  for (const manifest of stored.map(withoutStatus)) {
    const object = changed(random, manifest.object);
    const versioned = await withVersion(client, manifest, object);
    const updated = await sendTo(client, 'PUT', manifest, versioned);
    tally.add(playedOf(chain, updated, { operation: 'UPDATE', manifest, object }));
    const deleted = await sendTo(client, 'DELETE', manifest, undefined);
    tally.add(playedOf(chain, deleted, { operation: 'DELETE', manifest }));
  }
  return tally.report();
}

/** Kinds with a status that kube-apiserver itself writes after it stored an object. */
const written: ReadonlySet<string> = new Set([
  ...['CustomResourceDefinition', 'FlowSchema', 'PriorityLevelConfiguration', 'APIService'],
]);

// A stored object has no status from its creator where the status is a subresource.
function withoutStatus(manifest: MadeManifest): MadeManifest {
  const { status: _, ...rest } = manifest.object;
  const keeps = ['Node', 'Gadget'].includes(String(rest['kind']));
  return keeps ? manifest : { ...manifest, object: rest };
}

function inNamespace(random: Random, manifest: MadeManifest): MadeManifest {
  const { object, namespaced } = manifest;
  if (!namespaced) return manifest;
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const namespace = metadata['namespace'] ?? random.pick(['default', 'shop']);
  return { ...manifest, object: { ...object, metadata: { ...metadata, namespace } } };
}

function changed(random: Random, object: KubernetesObject): KubernetesObject {
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const labels = { ...(metadata['labels'] as object), changed: random.pick(['a', 'b']) };
  const spec = object['spec'] as Readonly<Record<string, unknown>> | undefined;
  const isScaled =
    random.chance(0.5) && ['Deployment', 'StatefulSet'].includes(String(object['kind']));
  return {
    ...object,
    metadata: { ...metadata, labels },
    ...(isScaled ? { spec: { ...spec, replicas: 7 } } : {}),
  };
}

function playedOf(
  chain: Chain,
  answer: JsonAnswer,
  {
    operation,
    manifest,
    object = manifest.object,
  }: {
    readonly operation: Operation;
    readonly manifest: MadeManifest;
    readonly object?: KubernetesObject;
  },
): Played | undefined {
  const { code, body, warnings } = answer;
  const message = code < 300 ? '' : String(body['message']);
  if (message !== '' && !message.includes('AdmissionPolicy')) return undefined;
  const own = ownVerdict(chain, object, operation, manifest.object);
  return {
    operation,
    manifest: { ...manifest, object },
    server: {
      message: steady(message),
      status: message === '' ? '' : statusText(body),
      warnings: ofPolicies(warnings),
    },
    own,
  };
}

function ownVerdict(
  chain: Chain,
  object: KubernetesObject,
  operation: Operation,
  old: KubernetesObject,
): Verdict {
  const passage = admitObject(chain, object, {
    operation,
    ...(operation === 'UPDATE' ? { oldObject: old } : {}),
    user: { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
  });
  const message = passage.failure ?? passage.message ?? '';
  return {
    message: steady(message),
    status: passage.status === undefined ? '' : statusText({ ...passage.status }),
    warnings: ofPolicies(passage.warnings),
  };
}

function statusText({ code, reason, details }: Readonly<Record<string, unknown>>): string {
  return steady(JSON.stringify([code, reason, sorted(details)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/** kubectl prints the warnings of all objects together, each text once. */
async function playApply(
  { kubeconfig }: KubeApiserver,
  chain: Chain,
  made: readonly MadeManifest[],
  tally: Tally,
): Promise<void> {
  const folder = createFolder();
  for (let start = 0; start < made.length; start += 100) {
    const some = made.slice(start, start + 100);
    const file = join(folder, `${start}.json`);
    writeFileSync(
      file,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: some.map(({ object }) => object) }),
    );
    const args = ['--kubeconfig', kubeconfig, 'apply', '--dry-run=server', '-f', file];
    const { stderr } = await promisify(execFile)(kubectl, args, { maxBuffer: 2 ** 28 }).catch(
      (error: { readonly stderr: string }) => error,
    );
    const lines = stderr.split('\n');
    const own = some.map(({ object }) =>
      ownVerdict(chain, withLastApplied(object), 'CREATE', object),
    );
    const printed = lines.flatMap((line) => /^Warning: (.*)$/.exec(line)?.[1] ?? []);
    tally.addTexts(
      `apply of ${start} to ${start + 99}`,
      new Set(ofPolicies(printed)),
      new Set(own.flatMap(({ warnings }) => warnings)),
    );
    const denied = lines.filter(
      (line) => line.includes('denied request') && !line.startsWith('Warning'),
    ).length;
    const ownDenied = own.filter(({ message }) => message.includes('AdmissionPolicy')).length;
    tally.addTexts(`denials of ${start}`, new Set([String(denied)]), new Set([String(ownDenied)]));
  }
  removeFolder(folder);
}

function withLastApplied(object: KubernetesObject): KubernetesObject {
  const metadata = object['metadata'] as Readonly<Record<string, unknown>>;
  const annotations = {
    ...(metadata['annotations'] as object),
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** Replaces the parts of a text that differ between servers. */
function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/resourceVersion=\d+/g, 'resourceVersion=N')
    .replaceAll(/clusterIP=10\.\d+\.\d+\.\d+/g, 'clusterIP=ADDRESS');
}

const policyWarning = 'Validation failed for ValidatingAdmissionPolicy';

function ofPolicies(texts: readonly string[]): readonly string[] {
  return texts
    .filter((text) => text.startsWith(policyWarning))
    .map((text) => steady(text))
    .sort();
}

class Tally {
  readonly #counts = { equal: 0, different: 0, skipped: 0, denied: 0, warnings: 0 };

  add(played: Played | undefined): void {
    if (played === undefined) {
      this.#counts.skipped++;
      return;
    }
    const { operation, manifest, server, own } = played;
    if (server.message !== '') this.#counts.denied++;
    this.#counts.warnings += server.warnings.length;
    const isEqual =
      server.message === own.message &&
      server.status === own.status &&
      sameTexts(server.warnings, own.warnings);
    this.#count(isEqual, () => {
      const { kind, metadata } = manifest.object;
      console.log(`\n${operation} ${String(kind)} ${JSON.stringify(metadata)}`);
      if (server.message !== own.message) show([server.message], [own.message]);
      if (server.status !== own.status) show([server.status], [own.status]);
      show(
        server.warnings.filter((text) => !own.warnings.includes(text)),
        own.warnings.filter((text) => !server.warnings.includes(text)),
      );
    });
  }

  addTexts(title: string, server: ReadonlySet<string>, own: ReadonlySet<string>): void {
    const missing = [...server].filter((text) => !own.has(text));
    const extra = [...own].filter((text) => !server.has(text));
    this.#count(missing.length + extra.length === 0, () => {
      console.log(`\n${title}`);
      show(missing.slice(0, 3), extra.slice(0, 3));
    });
  }

  #count(isEqual: boolean, tell: () => void): void {
    if (isEqual) this.#counts.equal++;
    else if (++this.#counts.different <= Number(values.limit)) tell();
  }

  report(): number {
    console.log(`\n${JSON.stringify(this.#counts)}`);
    if (this.#counts.equal === 0) throw new Error('nothing was compared');
    return this.#counts.different;
  }
}

function show(server: readonly string[], own: readonly string[]): void {
  for (const text of server) console.log(`  server: ${text}`);
  for (const text of own) console.log(`  own:    ${text}`);
}

function sameTexts(server: readonly string[], own: readonly string[]): boolean {
  return server.length === own.length && server.every((text, i) => text === own[i]);
}

function resourceOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

function listPath(apiVersion: string, resource: string, namespace = ''): string {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}`;
}

function send(client: KubeClient, method: string, object: KubernetesObject): Promise<JsonAnswer> {
  const path = listPath(String(object['apiVersion']), resourceOf(String(object['kind'])));
  return client.ask(method, path, object);
}

function sendTo(
  client: KubeClient,
  method: 'POST' | 'PUT' | 'DELETE' | 'GET',
  { object, resource, namespaced }: MadeManifest,
  body: KubernetesObject | undefined,
  query = '?dryRun=All&fieldManager=kubectl-create',
): Promise<JsonAnswer> {
  const { name, namespace } = object['metadata'] as Record<string, string>;
  const list = listPath(String(object['apiVersion']), resource, namespaced ? namespace : '');
  const path = method === 'POST' ? list : `${list}/${name}`;
  const asked = method === 'DELETE' ? '?dryRun=All' : method === 'GET' ? '' : query;
  return client.ask(method, path + asked, body);
}

async function withVersion(
  client: KubeClient,
  manifest: MadeManifest,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const { body } = await sendTo(client, 'GET', manifest, undefined);
  const { resourceVersion } = body['metadata'] as Record<string, string>;
  const metadata = object['metadata'] as object;
  return { ...object, metadata: { ...metadata, resourceVersion } };
}

async function untilServed(client: KubeClient): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answers = await Promise.all(
      ['/apis/example.com/v1/widgets', '/apis/example.com/v1/gadgets'].map((path) =>
        client.ask('GET', path),
      ),
    );
    if (answers.every(({ code }) => code === 200)) return;
    await sleep(200);
  }
  throw new Error('the definitions are not served');
}

// Policies take effect about a second after they are stored, in any order.
async function untilPoliciesAct(client: KubeClient, act: boolean): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { warnings } = await client.ask(
      'POST',
      '/api/v1/namespaces/default/configmaps?dryRun=All',
      {
        metadata: { name: 'probe' },
      },
    );
    if (warnings.some((text) => text.startsWith(policyWarning)) === act) {
      await sleep(3000);
      return;
    }
    await sleep(200);
  }
  throw new Error(act ? 'the policies take no effect' : 'deleted policies still take effect');
}

if (server === '' || kubectl === '') {
  console.error(usage);
  process.exitCode = 2;
} else {
  const started = await startKubeApiserver(server, [`--disable-admission-plugins=${plugins}`]);
  try {
    process.exitCode = (await play(started)) === 0 ? 0 : 1;
  } finally {
    await started.stop();
  }
}
