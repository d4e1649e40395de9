import { type JsonObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { Double } from '@kubeadmit/cel';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { deletesObject, type GenerationPlace, generateForRequest } from '../src/background.ts';
import { scheduleProblem } from '../src/cel-policies/schedule.ts';
import { type CelRequest, compileCelPolicy } from '../src/index.ts';
import { readCelException } from '../src/internal.ts';

/** A policy that generates or deletes, and the object that it is evaluated for. */
interface ActingCase {
  readonly policy: JsonObject;
  readonly resource: JsonObject;
  /** The plural name of the resource's kind. */
  readonly plural: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly namespace?: JsonObject;
  /** The objects that expressions find. */
  readonly objects: readonly { readonly plural: string; readonly object: JsonObject }[];
  readonly exceptions?: readonly JsonObject[];
}

/** The answer of Kyverno's engine, as its CLI asks it. */
interface ActingAnswer {
  readonly rule?: string;
  readonly status?: string;
  readonly message: string;
  readonly generated?: readonly JsonObject[];
}

interface Recorded {
  readonly case: ActingCase;
  readonly answer: ActingAnswer;
}

const cli: GenerationPlace = { form: 'cli', isNamespaced: () => true };

function answerOf(given: ActingCase): ActingAnswer {
  const policy = compileCelPolicy(given.policy, {
    clock: () => 0,
    ignoresExpiry: true,
    exceptions: (given.exceptions ?? []).map(readCelException),
  });
  const request = requestOf(given);
  const response =
    policy.type === 'Deletion'
      ? { result: deletesObject(policy, request), generated: [] }
      : generateForRequest(policy, request, cli);
  const { result, generated = [] } = response ?? {};
  const { exceptions: _, ...said } = { message: '', ...result };
  return { ...said, ...(generated.length === 0 ? {} : { generated }) };
}

function requestOf({
  policy,
  resource,
  plural,
  operation,
  namespace,
  objects,
}: ActingCase): CelRequest {
  const kind = kindOfObject(resource) ?? { group: '', version: '', kind: '' };
  const { group, version } = kind;
  const object = withDoubles(resource) as never;
  const own = metadataString(resource, 'namespace');
  // A Namespace is in itself, for policies that delete.
  const deletes = String(policy['kind']).endsWith('DeletingPolicy');
  const place = own === '' && deletes ? metadataString(resource, 'name') : own;
  const isKnown = namespace !== undefined && metadataString(namespace, 'name') === place;
  const itself = deletes && kind.kind === 'Namespace' ? resource : undefined;
  const named = (query: { readonly resource: string; readonly namespace: string }) =>
    objects
      .filter((each) => each.plural === query.resource)
      .map((each) => each.object)
      .filter((each) => metadataString(each, 'namespace') === query.namespace);
  return {
    attributes: {
      kind,
      resource: { group, version, resource: plural },
      subresource: '',
      name: metadataString(resource, 'name'),
      namespace: own,
      operation: operation ?? 'CREATE',
      user: {},
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'UPDATE' || operation === 'DELETE' ? object : null,
      dryRun: false,
      options: null,
    },
    namespaceObject: isKnown ? namespace : itself,
    sources: {
      getResource: (query) =>
        named(query).find((each) => metadataString(each, 'name') === query.name),
      listResources: (query) =>
        objects.length === 0 ? { error: `${query.resource} resource not found` } : named(query),
      globalContext: () => ({ data: null }),
    },
  };
}

/** A value as the CLI holds it, all of whose numbers are doubles. */
function withDoubles(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? new Double(value) : value;
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}

const recorded = readLines<Recorded>(new URL('cases/acting-policies.ndjson', import.meta.url));

test.each(recorded.map((one, at) => ({ ...one, at })))(
  'a policy that generates or deletes answers as in Kyverno: case $at',
  ({ case: given, answer }) => {
    const plain: unknown = JSON.parse(
      JSON.stringify(answerOf(given), (_, value) =>
        typeof value === 'bigint' ? Number(value) : value,
      ),
    );
    expect(plain).toEqual(answer);
  },
);

describe('the schedule of a DeletingPolicy', () => {
  const schedules = readLines<{ readonly schedule: string; readonly error?: string }>(
    new URL('cases/schedules.ndjson', import.meta.url),
  );

  test.each(schedules)('`$schedule` is read as in Kyverno', ({ schedule, error }) => {
    expect(scheduleProblem(schedule)).toBe(error);
  });
});

describe('a GeneratingPolicy in a cluster', () => {
  const trigger: JsonObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', uid: 'u1' },
  };
  const source: JsonObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name: 'token', namespace: 'vault', uid: 'u2', resourceVersion: '7' },
      ownerReferences: [{ kind: 'X', name: 'x' }],
    },
    data: { a: 'eA==' },
  };
  const policyOf = (kind: string, expression: string): JsonObject => ({
    apiVersion: 'policies.kyverno.io/v1',
    kind,
    metadata: { name: 'p', namespace: 'shop' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
        ],
      },
      generate: [{ expression }],
    },
  });
  const respond = (
    policy: JsonObject,
    place: Partial<GenerationPlace> = {},
    resource: JsonObject = trigger,
  ): ReturnType<typeof generateForRequest> => {
    const given = {
      policy,
      resource,
      plural: 'namespaces',
      objects: [{ plural: 'secrets', object: source }],
    };
    return generateForRequest(compileCelPolicy(policy, { clock: () => 0 }), requestOf(given), {
      form: 'cluster',
      isNamespaced: (_, kind) => kind !== 'ClusterRole',
      ...place,
    });
  };
  const clone = policyOf(
    'GeneratingPolicy',
    'generator.apply(object.metadata.name, [resource.get("v1", "secrets", "vault", "token")])',
  );
  const labels = {
    'app.kubernetes.io/managed-by': 'kyverno',
    'generate.kyverno.io/policy-name': 'p',
    'generate.kyverno.io/trigger-name': 'shop',
    'generate.kyverno.io/trigger-namespace': '',
    'generate.kyverno.io/trigger-uid': 'u1',
    'generate.kyverno.io/trigger-kind': 'Namespace',
    'generate.kyverno.io/trigger-group': '',
    'generate.kyverno.io/trigger-version': 'v1',
    'generate.kyverno.io/source-uid': 'u2',
  };

  test("labels generated objects, and drops the source's server fields and owners", () => {
    expect(respond(clone)?.generated).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'token', namespace: 'shop', labels },
        data: { a: 'eA==' },
      },
    ]);
  });

  test('leaves existing objects alone unless it generated them for the same object', () => {
    const existing = (given: JsonObject): number | undefined =>
      respond(clone, { find: () => ({ metadata: { labels: given } }) })?.generated.length;
    expect(existing({})).toBe(0);
    expect(existing(labels)).toBe(1);
    expect(existing({ ...labels, 'generate.kyverno.io/trigger-uid': 'u9' })).toBe(0);
  });

  test('heeds an exception that has expired, as the background controller of Kyverno does', () => {
    const exception = readCelException({
      metadata: { name: 'e' },
      spec: {
        policyRefs: [{ kind: 'GeneratingPolicy', name: 'p' }],
        expiresAt: '2020-01-01T00:00:00Z',
      },
    });
    const policy = compileCelPolicy(clone, { clock: Date.now, exceptions: [exception] });
    const given = { policy: clone, resource: trigger, plural: 'namespaces', objects: [] };
    const place: GenerationPlace = { form: 'cluster', isNamespaced: () => true };
    expect(generateForRequest(policy, requestOf(given), place)?.result.status).toBe('skip');
  });

  test('of a namespace generates no object of the cluster', () => {
    const policy = policyOf(
      'NamespacedGeneratingPolicy',
      'generator.apply([{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole"}])',
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' } };
    expect(respond(policy, {}, pod)?.result.message).toBe(
      'failed to evaluate policy: failed to generate resources: cross-scope generation denied: a policy scoped to namespace "shop" cannot generate cluster-scoped resource rbac.authorization.k8s.io/v1/ClusterRole',
    );
    expect(respond(policy, {}, { ...pod, metadata: { name: 'a', namespace: 'other' } })).toBe(
      undefined,
    );
  });
});

test('an anchor that contains itself makes a template invalid', () => {
  const value = 'kind: A\nmetadata: &x {a: *x, b: (( 1 ))}\n';
  const policy = compileCelPolicy(
    {
      kind: 'GeneratingPolicy',
      metadata: { name: 'p' },
      spec: { generate: [{ template: { interpolate: 'cel', value } }] },
    },
    { clock: () => 0 },
  );
  expect(policy.problems.map(({ path, message }) => [path, message.split(': ').at(-1)])).toEqual([
    ['spec.generate[0].template.value', "anchor 'x' value contains itself"],
  ]);
});
