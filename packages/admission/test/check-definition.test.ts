import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import {
  type AdmissionOutcome,
  type AdmissionResponse,
  admit,
  checkDefinition,
  loadCluster,
  prepareRequest,
} from '../src/index.ts';

/** A request and kube-apiserver 1.37.1's answer; without a status it accepted the object. */
interface Answered {
  readonly name: string;
  readonly request: AdmissionRequest;
  readonly status?: unknown;
}

const file = new URL('cases/stored-custom-resources.ndjson', import.meta.url);
const [head, ...answered] = readLines<Answered>(file);
const { resources } = head as unknown as { resources: readonly KubernetesObject[] };
const schemas = await loadSchemas();
const cluster = loadCluster({ resources, schemas });

test.each(answered)('as kube-apiserver: $name', ({ request, status }) => {
  expect(withoutSuffix(outcomeOf(admit(cluster, request)).status)).toEqual(withoutSuffix(status));
});

/** A definition that became stricter than the stored objects, a request, and kube-apiserver 1.37.1's answer. */
interface Played {
  readonly definition: KubernetesObject;
  readonly request: AdmissionRequest;
  readonly answer: unknown;
}

const playedFile = new URL('cases/played-updates.ndjson', import.meta.url);
const [policies, ...played] = readLines<Played>(playedFile, (line) =>
  parseJson(line, { wholeDoubles: true }),
);
const { resources: telling } = policies as unknown as { resources: readonly KubernetesObject[] };

test.each(played.map((each, index) => ({ ...each, index })))(
  'as kube-apiserver, with what is forgiven and warned of: $index, $request.operation $request.subResource',
  ({ definition, request, answer }) => {
    const stricter = loadCluster({ resources: [definition, ...telling], schemas });
    const { patch: _, patchType: __, ...response } = outcomeOf(admit(stricter, request));
    expect(response).toEqual(answer);
  },
);

function outcomeOf(outcome: AdmissionOutcome): AdmissionResponse {
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  return outcome.response;
}

const invalid = answered.find(
  ({ name }) => name === 'Widget create {"name":"a","spec":{"size":0}}',
);

test('a cluster without this check accepts invalid objects', () => {
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
  const metadata = { ...(request.object?.['metadata'] as object), generation: 1 };
  const expected = { ...request.object, metadata, spec: { size: 1 } };
  expect(checked).toEqual({ object: expected, denial: undefined });
});

test('the status is also removed from an object without metadata', () => {
  const bare = { apiVersion: 'example.com/v1', kind: 'Widget', spec: { size: 1 } };
  const prepared = prepareRequest(cluster, invalid?.request as AdmissionRequest);
  if (prepared.failure !== undefined) throw new Error(prepared.failure);
  const { object, denial } = checkDefinition(prepared, { ...bare, status: { phase: 7 } });
  expect(object).toEqual(bare);
  expect(denial?.message).not.toContain('status');
  expect(denial?.message).toContain('metadata.name: Required value');
});

// Five characters that the server chooses end a generated name.
function withoutSuffix(status: unknown): unknown {
  const text = JSON.stringify(status ?? null).replace(/g-[a-z0-9]{5}/g, 'g-');
  return JSON.parse(text);
}
