import { loadPlugins } from '@kubeadmit/admission/plugins';
import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWriteServer, type WriteRequest, type WriteServer } from '../src/index.ts';

/** The objects of the cluster, of which pods are on the nodes n1 and n2. */
interface Cluster {
  readonly resources: readonly KubernetesObject[];
}

/** The answer of kube-apiserver 1.37.1 with NodeRestriction to a kubelet. */
interface Case {
  readonly name: string;
  readonly request: WriteRequest;
  readonly code: number;
  /** Absent if the request is allowed. */
  readonly status?: Status;
}

const file = new URL('node-restriction.ndjson', import.meta.url);
const [cluster, ...cases] = readLines<Cluster & Case>(file);

let server: WriteServer;
beforeAll(async () => {
  const schemas = await loadSchemas();
  const now = (): number => Date.parse('2026-01-02T03:04:05Z');
  const randomUid = (): string => crypto.randomUUID();
  const plugins = await loadPlugins({ plugins: 'default', enable: ['NodeRestriction'], minor: 37 });
  const resources = cluster?.resources ?? [];
  server = await createWriteServer({ resources, schemas, now, randomUid, plugins });
});
afterAll(() => server.close());

test.each(cases)('$name', async ({ request, code, status }) => {
  const answer = await server.answer(request);
  const refusal = answer.status?.status === 'Success' ? undefined : answer.status;
  expect([answer.code, refusal]).toEqual([code, status]);
});
