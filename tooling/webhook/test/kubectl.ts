import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../src/server/json.ts';
import type { TestCluster } from './cluster.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The few commands of `kubectl` that the guide has, by the same requests, so that no kubectl is needed. */
export async function kubectl(
  cluster: Pick<TestCluster, 'ask'>,
  args: readonly string[],
  input: string,
): Promise<string> {
  const rest = [...args];
  const namespace = rest[0] === '--namespace' ? (rest.splice(0, 2)[1] ?? '') : 'default';
  const command = rest.join(' ');
  const [, file] = /^apply --server-side -f (\S+)$/.exec(command) ?? [];
  if (file !== undefined) {
    return apply(cluster, file === '-' ? input : readFileSync(root + file, 'utf8'));
  }
  const [, created] = /^create namespace (\S+)$/.exec(command) ?? [];
  if (created !== undefined) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: created } };
    return answered(await cluster.ask('POST', '/api/v1/namespaces', { body }));
  }
  const [, name, image] = /^run (\S+) --image (\S+)$/.exec(command) ?? [];
  if (name !== undefined) {
    const spec = { containers: [{ name, image }] };
    const metadata = { name, labels: { run: name } };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
    return answered(await cluster.ask('POST', `/api/v1/namespaces/${namespace}/pods`, { body }));
  }
  const [, deployment] = /^rollout status deployment\/(\S+) /.exec(command) ?? [];
  if (deployment !== undefined) {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${deployment}`;
    const { object } = await cluster.ask('GET', path);
    const { availableReplicas } = object['status'] as { readonly availableReplicas?: number };
    if (availableReplicas !== undefined) return `"${deployment}" successfully rolled out`;
  }
  throw new Error(`not known: kubectl ${command}`);
}

async function apply(cluster: Pick<TestCluster, 'ask'>, text: string): Promise<string> {
  const lines: string[] = [];
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as JsonObject | null;
    if (object === null) continue;
    const answer = await cluster.ask('PATCH', await pathOf(cluster, object), {
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
    lines.push(answered(answer));
  }
  return lines.join('\n');
}

async function pathOf(cluster: Pick<TestCluster, 'ask'>, object: JsonObject): Promise<string> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata as { readonly name: string; readonly namespace?: string };
  const base = String(apiVersion).includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { object: found } = await cluster.ask('GET', base);
  const resources = (found['resources'] ?? []) as readonly JsonObject[];
  const resource = resources.find((each) => each['kind'] === kind)?.['name'];
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${base}${place}/${resource}/${name}?fieldManager=kubectl&force=true`;
}

// As kubectl writes errors of the server (cmd/util StandardErrorMessage).
function answered({
  code,
  object,
}: {
  readonly code: number;
  readonly object: JsonObject;
}): string {
  if (code < 300) return 'done';
  const message = String(object['message']);
  const { kind, name, causes } = (object['details'] ?? {}) as {
    readonly kind?: string;
    readonly name?: string;
    readonly causes?: readonly { readonly field?: string; readonly message: string }[];
  };
  const [cause] = causes ?? [];
  if (object['reason'] === 'Invalid' && cause !== undefined) {
    return `The ${kind} "${name}" is invalid: ${cause.field ?? ''}: ${cause.message}`;
  }
  const reason = String(object['reason'] ?? '');
  return reason === '' || reason === 'Unknown'
    ? `Error from server: ${message}`
    : `Error from server (${reason}): ${message}`;
}
