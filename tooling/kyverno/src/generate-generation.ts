import { type Random, words } from '@kubeadmit/random';
import { withExceptions } from './generate-exceptions.ts';
import { filters } from './generate-selection.ts';

type Made = Record<string, unknown>;

const names = ['a', 'b', 'web', '{{ request.object.metadata.name }}', 'x-{{ v }}'];
const namespaces = ['n', 'n', 'default', '{{ request.object.metadata.name }}', '{{ ns }}'];
const targets = [
  ['v1', 'ConfigMap'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'ResourceQuota'],
  ['v1', 'LimitRange'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['rbac.authorization.k8s.io/v1', 'Role'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['apps/v1', 'Deployment'],
  ['v1', 'Namespace'],
  ['example.com/v1', 'Widget'],
  ['', 'Secret'],
] as const;
const values = [
  ...words('text 5 {{v}} {{element}} {{elementIndex}}'),
  '{{ request.object.metadata.labels.app }}',
  '{{ request.object.metadata.labels }}',
  "{{ request.object.metadata.labels.app || 'none' }}",
  '{{ element.name }}',
  '{{ request.object.metadata.nope }}',
  '$(./../other)',
  '*',
  '>1',
  null,
  true,
  1.5,
  [1, 'a'],
];

/** Policies with generate rules, an object that triggers them, and objects to clone. */
export function generateGeneration(random: Random): object {
  const policies = random.list(1, random.chance(0.2) ? 2 : 1, (at) => policy(random, at));
  const rules = policies.flatMap(({ spec }) => (spec as { readonly rules: Made[] }).rules);
  const made = {
    policies,
    resource: trigger(random),
    ...random.some({
      operation: [0.3, () => random.pick(['CREATE', 'UPDATE', 'UPDATE'])],
      subresource: [0.03, () => random.pick(['status', 'scale'])],
      namespaceLabels: [0.3, () => random.pick<Made>([{ app: 'web' }, { env: 'prod' }, {}])],
      userInfo: [0.2, () => random.pick([{ username: 'alice', groups: ['dev1'] }, {}])],
      clusterRoles: [0.1, () => [random.pick(['admin', 'view'])]],
      context: [0.1, () => ({ values: { v: 'given', 'request.extra': 1 } })],
    }),
    ...(random.chance(0.1) && { operation: 'UPDATE', oldResource: trigger(random) }),
    sources: Object.fromEntries(rules.map(({ name }) => [name, sources(random, String(name))])),
  };
  return random.chance(0.25) ? withExceptions(random, made) : made;
}

function policy(random: Random, at: number): Made {
  const kind = random.chance(0.9) ? 'ClusterPolicy' : 'Policy';
  return {
    apiVersion: 'kyverno.io/v1',
    kind,
    metadata: { name: `p${at}`, ...(kind === 'Policy' && { namespace: 'n' }) },
    spec: {
      ...(random.chance(0.1) && { applyRules: 'One' }),
      rules: random.list(1, 3, (index) => rule(random, `p${at}r${index}`)),
    },
  };
}

function trigger(random: Random): Made {
  const [apiVersion, kind] = random.pick([
    ['v1', 'Namespace'],
    ['v1', 'Namespace'],
    ['v1', 'ConfigMap'],
    ['apps/v1', 'Deployment'],
    ['networking.k8s.io/v1', 'NetworkPolicy'],
  ] as const);
  return {
    apiVersion,
    kind,
    metadata: {
      name: random.pick(['a', 'n', 'web']),
      ...(kind !== 'Namespace' && { namespace: random.pick(['n', 'default']) }),
      ...(random.chance(0.3) && { uid: 'u1' }),
      ...(random.chance(0.7) && { labels: { app: random.pick(['web', 'db', '1']) } }),
    },
    ...(random.chance(0.5) && { data: { list: 'a,b', text: 'x' } }),
    ...(random.chance(0.3) && { spec: { items: ['a', 'b', 'a'], replicas: 2 } }),
  };
}

/** Sources of one rule; their names differ from rule to rule, since the fake client refuses an object twice. */
function sources(random: Random, rule: string): readonly Made[] {
  return Array.from({ length: random.below(3) }, (_, at) => {
    const kind = random.pick(['Secret', 'ConfigMap', 'Secret', 'NetworkPolicy', 'Role']);
    const apiVersion =
      kind === 'NetworkPolicy'
        ? 'networking.k8s.io/v1'
        : kind === 'Role'
          ? 'rbac.authorization.k8s.io/v1'
          : 'v1';
    return {
      apiVersion,
      kind,
      metadata: {
        name: `${rule}-s${at}`,
        namespace: random.pick(['src', 'src', 'default', 'n']),
        ...(random.chance(0.5) && { labels: { copy: random.pick(['yes', 'no']) } }),
        ...(random.chance(0.2) && { uid: 'u2', resourceVersion: '7', selfLink: '/x' }),
        ...(random.chance(0.2) && { creationTimestamp: '2026-01-01T00:00:00Z' }),
        ...(random.chance(0.2) && { ownerReferences: [{ kind: 'X', name: 'x' }] }),
        ...(random.chance(0.2) && { annotations: { a: 'b' } }),
      },
      data: { a: random.pick(['eA==', 'eQ==']) },
      ...(random.chance(0.1) && { status: { phase: 'x', count: 3 } }),
    };
  });
}

function match(random: Random): Made {
  if (random.chance(0.15)) return filters(random);
  const kinds = random.pick([['Namespace'], ['Namespace'], ['*'], ['ConfigMap', 'Deployment']]);
  const resources = {
    kinds,
    ...random.some({
      names: [0.1, () => ['a', 'w*']],
      namespaces: [0.05, () => [random.pick(['n', 'd*'])]],
      operations: [0.1, () => random.list(1, 2, () => random.pick(['CREATE', 'UPDATE', 'DELETE']))],
      selector: [0.1, () => ({ matchLabels: { app: random.pick(['web', 'w*', '?*']) } })],
      namespaceSelector: [
        0.1,
        () => ({ matchExpressions: [{ key: 'app', operator: random.pick(['Exists', 'NotIn']) }] }),
      ],
    }),
  };
  return { [random.pick(['any', 'any', 'all'])]: [{ resources }] };
}

function rule(random: Random, name: string): Made {
  return {
    name,
    match: match(random),
    ...(random.chance(0.15) && { exclude: random.chance(0.5) ? match(random) : filters(random) }),
    context: [
      { name: 'v', variable: { jmesPath: random.pick(['request.object.metadata.name', "'lit'"]) } },
      {
        name: 'ns',
        variable: {
          jmesPath: 'request.object.metadata.namespace',
          default: random.pick(['n', 'other']),
        },
      },
    ],
    ...(random.chance(0.3) && { preconditions: conditions(random) }),
    generate: {
      ...(random.chance(0.5) && { synchronize: random.chance(0.8) }),
      ...(random.chance(0.3) ? { foreach: loops(random, name) } : pattern(random, name)),
    },
  };
}

function conditions(random: Random): Made {
  const key = random.pick([
    '{{ request.object.metadata.labels.app }}',
    "{{ request.object.metadata.labels.app || '' }}",
    '{{ request.operation }}',
    '{{ v }}',
  ]);
  const operator = random.pick(['Equals', 'NotEquals', 'AnyIn']);
  const condition = { key, operator, value: random.pick(['web', 'CREATE', ['a', 'web'], 'n']) };
  return { [random.pick(['any', 'all'])]: [condition] };
}

function loops(random: Random, rule: string): readonly Made[] {
  return Array.from({ length: 1 + random.below(2) }, () => ({
    list: random.pick([
      "request.object.data.list | split(@, ',')",
      'request.object.spec.items',
      "['a', 'b']",
      '`[{"name": "a"}, null, {"name": "b"}]`',
      'request.object.metadata.nope',
      'v',
    ]),
    ...(random.chance(0.3) && {
      context: [{ name: 'w', variable: { value: '{{ element }}-{{ v }}' } }],
    }),
    ...(random.chance(0.3) && {
      preconditions: { all: [{ key: '{{ element }}', operator: 'NotEquals', value: 'b' }] },
    }),
    ...pattern(random, rule, ['a', 'l-{{ elementIndex }}', '{{ element }}', '{{ element.name }}']),
  }));
}

function pattern(random: Random, rule: string, named: readonly string[] = names): Made {
  const [apiVersion, kind] = random.pick(targets);
  const target = {
    ...(apiVersion !== '' && { apiVersion }),
    kind,
    name: random.pick(named),
    ...(kind !== 'Namespace' && { namespace: random.pick(namespaces) }),
  };
  const sort = random.below(10);
  if (sort === 0) return target;
  if (sort < 3) {
    const clone = { name: `${rule}-s${random.below(2)}`, namespace: random.pick(['src', 'n']) };
    return { ...target, ...random.pick([{ kind: 'Secret', apiVersion: 'v1' }, {}]), clone };
  }
  if (sort < 5) {
    const kinds = random.pick([
      ['v1/Secret'],
      ['v1/Secret', 'v1/ConfigMap'],
      ['v1/ConfigMap', 'networking.k8s.io/v1/NetworkPolicy'],
    ]);
    const selection = random.pick<Made>([
      {},
      { selector: { matchLabels: { copy: 'yes' } } },
      { selector: { matchExpressions: [{ key: 'copy', operator: 'Exists' }] } },
    ]);
    const cloneList = { namespace: random.pick(['src', 'src', 'n']), kinds, ...selection };
    return { namespace: random.pick(namespaces), cloneList };
  }
  return { ...target, data: data(random) };
}

function data(random: Random): unknown {
  if (random.chance(0.05)) return random.pick<unknown>(['text', [1], '{{ v }}', 5]);
  return {
    ...(random.chance(0.2) && { kind: random.pick(['ConfigMap', 'Other']) }),
    ...(random.chance(0.2) && { apiVersion: 'v9' }),
    ...(random.chance(0.5) && {
      metadata: {
        ...(random.chance(0.5) && { labels: { app: random.pick(values) } }),
        ...(random.chance(0.3) && { annotations: { a: random.pick(['b', '{{ v }}']) } }),
        ...(random.chance(0.2) && { name: 'own', namespace: 'own' }),
        ...(random.chance(0.1) && { resourceVersion: '5' }),
      },
    }),
    ...(random.chance(0.8) && { data: { a: random.pick(values), b: random.pick(values) } }),
    ...(random.chance(0.3) && {
      spec: { list: [random.pick(values), { c: random.pick(values) }] },
    }),
  };
}

/** Errors about fields of Go's types are left out: they come from its decoder of JSON. */
export function withoutDecodeErrors(answer: string): string {
  return answer.replaceAll(
    /"(?:[^"\\]|\\.)*(?:v1\.GeneratePattern|json: cannot)(?:[^"\\]|\\.)*"/g,
    '"not decoded"',
  );
}
