import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { admit, checkDefinition, loadCluster, prepareRequest } from '../src/index.ts';

/** A request and what kube-apiserver 1.37.1 answered; without a status it took the object. */
interface Answered {
  readonly name: string;
  readonly request: AdmissionRequest;
  readonly status?: unknown;
}

const file = new URL('cases/stored-custom-resources.ndjson', import.meta.url);
const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
const { resources } = JSON.parse(head) as { resources: readonly KubernetesObject[] };
const answered = lines.map((line) => JSON.parse(line) as Answered);
const schemas = await loadSchemas();
const cluster = loadCluster({ resources, schemas });

test.each(answered)('as kube-apiserver: $name', ({ request, status }) => {
  const outcome = admit(cluster, request);
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  expect(withoutSuffix(outcome.response.status)).toEqual(withoutSuffix(status));
});

const invalid = answered.find(
  ({ name }) => name === 'Widget create {"name":"a","spec":{"size":0}}',
);

test('a cluster that leaves this to the server takes what does not fit', () => {
  const lenient = loadCluster({ resources, schemas, checkDefinitions: false });
  const request = invalid?.request as AdmissionRequest;
  expect(admit(cluster, request)).toMatchObject({ response: { allowed: false } });
  expect(admit(lenient, request)).toMatchObject({ response: { allowed: true } });
});

test('a status that only its subresource may set is gone before validating policies', () => {
  const request = { ...(invalid?.request as AdmissionRequest) };
  const object = { ...request.object, spec: { size: 1 }, status: { phase: 'A' } };
  const prepared = prepareRequest(cluster, { ...request, object });
  if (prepared.failure !== undefined) throw new Error(prepared.failure);
  const checked = checkDefinition(prepared, prepared.attributes.object);
  expect(checked).toEqual({ object: { ...request.object, spec: { size: 1 } }, denial: undefined });
});

// Five characters that the server chooses end a generated name.
function withoutSuffix(status: unknown): unknown {
  const text = JSON.stringify(status ?? null).replace(/g-[a-z0-9]{5}/g, 'g-');
  return JSON.parse(text);
}
