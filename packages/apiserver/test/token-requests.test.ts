import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWriteServer, type WriteServer } from '../src/index.ts';

/** A TokenRequest and the answer of kube-apiserver 1.37.1 without token, times and UIDs. */
interface Recorded {
  readonly name: string;
  readonly account: string;
  readonly object: KubernetesObject;
  readonly code: number;
  readonly body: KubernetesObject;
}

const lines = readFileSync(new URL('token-requests.ndjson', import.meta.url), 'utf8');
const recorded = lines
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const namespaced = { namespace: 'shop' };
const resources: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', ...namespaced } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', ...namespaced } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...namespaced },
    spec: { serviceAccountName: 'robot', containers: [{ name: 'a', image: 'b' }] },
  },
];

let server: WriteServer;
beforeAll(async () => {
  const schemas = await loadSchemas();
  const now = (): number => Date.parse('2026-01-02T03:04:05Z');
  const randomUid = (): string => crypto.randomUUID();
  server = await createWriteServer({ resources, schemas, now, randomUid });
});
afterAll(() => server.close());

test.each(recorded)('$name', async ({ account, object, code, body }) => {
  const answer = await server.answer({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
    subresource: 'token',
    namespace: 'shop',
    name: account,
    object,
  });
  const text = JSON.stringify(answer.object ?? answer.status);
  const shown = JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')) as unknown;
  expect([answer.code, shown]).toEqual([code, body]);
});
