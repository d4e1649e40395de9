import { phrases, type Random } from '@kubeadmit/random';
import type { Made } from './generate-resource.ts';

const subjects = [
  ['v1', 'Namespace', 'namespaces'],
  ['v1', 'Namespace', 'namespaces'],
  ['v1', 'ConfigMap', 'configmaps'],
  ['v1', 'Pod', 'pods'],
  ['apps/v1', 'Deployment', 'deployments'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'],
] as const;
const kinds = [
  ...phrases`GeneratingPolicy  GeneratingPolicy  GeneratingPolicy  NamespacedGeneratingPolicy`,
  ...phrases`ValidatingPolicy  NamespacedValidatingPolicy  MutatingPolicy  NamespacedMutatingPolicy`,
  ...phrases`DeletingPolicy  NamespacedDeletingPolicy`,
];
const conditions = [
  'true',
  'true',
  'false',
  'object.metadata.name == "web"',
  'object.metadata.?labels["app"].orValue("") == "web"',
  'object.metadata.labels.app == "web"',
  'has(object.spec) && object.spec.replicas > 1.0',
  'namespaceObject == null',
  'namespaceObject.metadata.labels.env == "prod"',
  'oldObject == null',
  'request.operation == "CREATE"',
  'request.operation in ["UPDATE", "DELETE"]',
  'object.nope',
  '1 / 0 == 1',
  'size(object.metadata.name) > 2',
  'resource.Get("v1", "configmaps", "n", "one").data.a == "b"',
];
const objects = [
  '{"apiVersion": dyn("v1"), "kind": dyn("ConfigMap"), "metadata": dyn({"name": "c"})}',
  '{"apiVersion": dyn("v1"), "kind": dyn("ConfigMap"), "metadata": dyn({"name": object.metadata.name, "labels": {"a": "b"}}), "data": dyn({"k": string(size(object.metadata.name))})}',
  'resource.Get("v1", "configmaps", "n", "one")',
  'resource.get("v1", "secrets", "n", "two")',
  'resource.Get("v1", "configmaps", "n", "absent")',
  'resource.List("v1", "configmaps", "n")',
  'object',
  'variables.m',
  '{"kind": dyn("A"), "items": dyn([{"kind": "B", "metadata": {"name": "x"}}, {"kind": "C"}])}',
  '{"kind": dyn("A"), "items": dyn([1])}',
  'dyn(1)',
  'dyn(null)',
  '{"metadata": dyn("x")}',
  '{"apiVersion": dyn("v1"), "kind": dyn("List"), "spec": dyn({"n": 1, "d": 1.5, "b": b"ab", "u": 2u})}',
];
const targets = [
  'object.metadata.name',
  'object.metadata.?namespace.orValue("d")',
  '"n"',
  '""',
  'variables.n',
  'object.metadata.namespace',
  'namespaceObject.metadata.name',
];
const templates = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: t\n  namespace: (( object.metadata.name ))\ndata:\n  a: (( variables.n ))\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: t-(( object.metadata.name ))\ndata: (( variables.m ))\n',
  'kind: A\nspec:\n  n: (( size(object.metadata.name) ))\n  t: "(( true ))"\n---\nkind: B\nmetadata: {name: b}\n',
  'kind: A\nlist: (( ["x", "y"] ))\nnope: (( object.nope ))\n',
  'kind: A\nspec: [1, 2.5, null, yes, "1"]\n',
  '- a\n',
  'kind: A\nmetadata: {name: x}\nitems:\n- {kind: C}\n',
  '# nothing\n',
];
const patches = [
  '[JSONPatch{op: "add", path: "/metadata/labels", value: {"m": "x"}}]',
  '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"m": object.metadata.name}}]',
  '[JSONPatch{op: "remove", path: "/metadata/nope"}]',
  '[JSONPatch{op: "test", path: "/metadata/name", value: "web"}, JSONPatch{op: "add", path: "/x", value: "y"}]',
  '[JSONPatch{op: "replace", path: "/metadata/name", value: variables.n}]',
];
const values = ['object.metadata.name', '"vn"', 'object.metadata.labels.app', 'string(1)'];
const maps = [
  '{"apiVersion": dyn("v1"), "kind": dyn("Secret"), "metadata": dyn({"name": variables.n})}',
  '{"a": "b"}',
  'object.metadata',
];

function metadata(random: Random, kind: string): Made {
  return {
    name: random.pick(['web', 'n', 'a']),
    ...(kind !== 'Namespace' && { namespace: random.pick(['n', 'n', 'd']) }),
    ...random.some({
      labels: [0.7, () => ({ app: random.pick(['web', 'db']) })],
      uid: [0.2, () => 'u1'],
      ownerReferences: [0.1, () => [{ kind: 'X', name: 'x' }]],
    }),
  };
}

function constraints(random: Random, plural: string): Made {
  const rule = (): Made => ({
    apiGroups: [random.pick(['*', '', 'apps'])],
    apiVersions: [random.pick(['*', 'v1'])],
    operations: random.pick([['*'], ['CREATE'], ['CREATE', 'UPDATE'], ['DELETE', 'CREATE']]),
    resources: [random.pick([plural, plural, plural, '*', 'secrets'])],
    ...random.some({ resourceNames: [0.05, () => ['web']] }),
  });
  const selector = (): Made =>
    random.pick<Made>([
      { matchLabels: { app: 'web' } },
      { matchLabels: { env: 'prod' } },
      { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
    ]);
  return {
    resourceRules: random.list(1, 2, rule),
    ...random.some({
      namespaceSelector: [0.1, selector],
      objectSelector: [0.1, selector],
      excludeResourceRules: [0.05, () => [rule()]],
    }),
  };
}

function named(random: Random, most: number): readonly Made[] {
  return random.list(0, most, (at) => ({ name: `c${at}`, expression: random.pick(conditions) }));
}

function generation(random: Random): Made {
  if (random.chance(0.35)) {
    const interpolate = random.chance(0.7) && { interpolate: 'cel' };
    return { template: { ...interpolate, value: random.pick(templates) } };
  }
  const list = random.list(1, 2, () => random.pick(objects)).join(', ');
  const call = `generator.${random.pick(['Apply', 'Apply', 'apply'])}(${random.pick(targets)}, [${list}])`;
  return {
    expression: random.chance(0.8) ? call : `${random.pick(conditions)} ? ${call} : true`,
  };
}

/** The part of the spec that a kind has alone. */
function effect(random: Random, kind: string): Made {
  if (kind.endsWith('GeneratingPolicy')) {
    return { generate: random.list(1, 2, () => generation(random)) };
  }
  if (kind.endsWith('ValidatingPolicy')) {
    const expression = (): string =>
      random.pick([
        ...['false', 'false', random.pick(conditions)],
        'object.metadata.name in exceptions.allowedValues',
        'exceptions.allowedImages.exists(i, i == "nginx")',
        'size(exceptions.allowedValues) > 0',
      ]);
    return {
      validations: random.list(1, 2, () => ({ expression: expression(), message: 'no' })),
      ...random.some({ failurePolicy: [0.3, () => random.pick(['Ignore', 'Fail'])] }),
    };
  }
  if (kind.endsWith('MutatingPolicy')) {
    return {
      mutations: random.list(1, 2, () => ({
        patchType: 'JSONPatch',
        jsonPatch: { expression: random.pick(patches) },
      })),
      ...random.some({ failurePolicy: [0.3, () => random.pick(['Ignore', 'Fail'])] }),
    };
  }
  return { conditions: named(random, 2), schedule: '* * * * *' };
}

/** A policy that generates, validates, mutates or deletes. */
function policy(random: Random, kind: string, plural: string): Made {
  const deletes = kind.endsWith('DeletingPolicy');
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind,
    metadata: { name: 'p', ...(kind.startsWith('Namespaced') && { namespace: 'n' }) },
    spec: {
      matchConstraints: constraints(random, plural),
      ...(!deletes && random.chance(0.3) && { matchConditions: named(random, 2) }),
      variables: [
        { name: 'n', expression: random.pick(values) },
        { name: 'm', expression: random.pick(maps) },
      ],
      ...effect(random, kind),
    },
  };
}

function exception(random: Random, kind: string, at: number): Made {
  const reference = (): Made => ({
    kind: random.chance(0.85) ? kind : random.pick(kinds),
    name: random.chance(0.9) ? 'p' : 'other',
  });
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'PolicyException',
    metadata: {
      name: `e${at}`,
      namespace: 'n',
      ...random.some({
        labels: [0.2, () => ({ 'polex.kyverno.io/priority': random.pick(['1', '5', '-1', 'x']) })],
      }),
    },
    spec: {
      policyRefs: random.list(1, 2, reference),
      ...random.some({
        matchConditions: [0.5, () => named(random, 2)],
        reportResult: [0.3, () => random.pick(['pass', 'skip'])],
        expiresAt: [
          0.5,
          () =>
            random.pick([
              '2020-01-01T00:00:00Z',
              '2020-01-01T00:00:00+02:00',
              '2999-01-01T00:00:00Z',
            ]),
        ],
        images: [0.1, () => ['nginx']],
        allowedValues: [0.15, () => [random.pick(['web', 'x'])]],
      }),
    },
  };
}

/** A case of one policy in CEL with exceptions, some of which have expired. */
export function generateActing(random: Random): object {
  const [apiVersion, kind, plural] = random.pick(subjects);
  const policyKind = random.pick(kinds);
  const found = (of: string, name: string): Made => ({
    plural: of,
    object: {
      apiVersion: 'v1',
      kind: of === 'secrets' ? 'Secret' : 'ConfigMap',
      metadata: { name, namespace: 'n', ...random.some({ uid: [0.3, () => 'u2'] }) },
      data: { a: 'b' },
    },
  });
  return {
    policy: policy(random, policyKind, plural),
    resource: {
      apiVersion,
      kind,
      metadata: metadata(random, kind),
      ...random.some({ spec: [0.5, () => ({ replicas: random.pick([1, 3]) })] }),
    },
    plural,
    ...random.some({
      operation: [0.6, () => random.pick(['CREATE', 'UPDATE', 'DELETE'])],
      namespace: [
        0.5,
        () => ({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'n', labels: { env: random.pick(['prod', 'test']) } },
        }),
      ],
      objects: [
        0.7,
        () =>
          random.pick([
            [found('configmaps', 'one')],
            [found('configmaps', 'one'), found('secrets', 'two')],
          ]),
      ],
      exceptions: [0.7, () => random.list(1, 3, (at) => exception(random, policyKind, at))],
      admission: [0.5, () => true],
    }),
  };
}
