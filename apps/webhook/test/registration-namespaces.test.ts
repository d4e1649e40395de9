import { stringifyYaml } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { onAll, onPods, policy, prod, register } from './harness/registration.ts';

const onMaps = { ...onPods, resources: ['configmaps'] };

function namespacedPolicy(namespace: string, constraints: object, spec: object = {}): string {
  return stringifyYaml({
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'NamespacedValidatingPolicy',
    metadata: { name: `policy-${namespace}`, namespace },
    spec: {
      validationActions: ['Deny'],
      matchConstraints: { resourceRules: [onMaps], ...constraints },
      validations: [{ expression: 'false' }],
      ...spec,
    },
  });
}

const only = (namespace: string) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [namespace] }],
});

// kube-apiserver refuses each of them in a webhook configuration, and with it the webhooks of all other policies.
test.each<[string, object, object?]>([
  ['an unknown scope', { resourceRules: [{ ...onMaps, scope: 'Nope' }] }],
  ['an unknown operation', { resourceRules: [{ ...onMaps, operations: ['CREATE', 'FOO'] }] }],
  [
    'an empty version and an empty resource',
    { resourceRules: [{ ...onMaps, apiVersions: ['v1', ''], resources: ['configmaps', ''] }] },
  ],
  ['an invalid label', { objectSelector: { matchLabels: { 'a b!': 'c' } } }],
  [
    'an unknown operator of a selector',
    { objectSelector: { matchExpressions: [{ key: 'x', operator: 'Nope' }] } },
  ],
  [
    'a condition, which may use functions of Kyverno,',
    {},
    { matchConditions: [{ name: 'x', expression: 'true' }] },
  ],
])('%s of a policy of Kyverno is not registered', async (_, constraints, spec) => {
  const { validate } = await register(namespacedPolicy('shop', constraints, spec));
  expect(validate).toMatchObject([
    {
      failurePolicy: 'Fail',
      namespaceSelector: only('shop'),
      objectSelector: {},
      rules: [{ ...onMaps, scope: 'Namespaced' }],
    },
  ]);
  expect(validate[0]?.['matchConditions']).toBeUndefined();
});

test('a rule of a policy of Kyverno that can match nothing is not registered', async () => {
  const rules = [
    { ...onMaps, operations: ['FOO'] },
    { ...onMaps, scope: 'Cluster' },
  ];
  const { validate } = await register(namespacedPolicy('shop', { resourceRules: rules }));
  expect(validate).toEqual([]);
});

test('policies of namespaces are registered for their namespaces, and never for the objects of the cluster', async () => {
  const texts = ['shop', 'bank'].map((namespace) =>
    namespacedPolicy(namespace, { resourceRules: [onAll] }),
  );
  const { validate } = await register(texts.join('---\n'), { excluded: ['kube-system'] });
  const key = 'kubernetes.io/metadata.name';
  expect(validate).toMatchObject([
    {
      namespaceSelector: {
        matchExpressions: [
          { key, operator: 'In', values: ['bank', 'shop'] },
          { key, operator: 'NotIn', values: ['kube-system'] },
        ],
      },
      rules: [{ ...onAll, scope: 'Namespaced' }],
    },
  ]);
});

const selected = (operator: 'In' | 'NotIn', values: readonly string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }],
});

const condition = { name: 'c', expression: "request.userInfo.username != 'x'" };

test('a policy of a namespace changes nothing of the webhook for other namespaces', async () => {
  const constraints = { namespaceSelector: prod, objectSelector: prod };
  const ofCluster = policy({ constraints, spec: { matchConditions: [condition] } });
  const alone = (await register(ofCluster)).validate[0];
  const tenant = namespacedPolicy('shop', { resourceRules: [onAll] });
  const { validate } = await register([ofCluster, tenant].join('---\n'));
  expect(validate[0]).toEqual({
    ...alone,
    namespaceSelector: { ...prod, ...selected('NotIn', ['shop']) },
  });
  expect(validate.slice(1)).toMatchObject([
    {
      name: 'validate-fail-2.kubeadmit.dev',
      path: '/validate/fail',
      namespaceSelector: selected('In', ['shop']),
      objectSelector: {},
      rules: [
        { ...onPods, scope: 'Namespaced' },
        { ...onAll, scope: 'Namespaced' },
      ],
    },
  ]);
});

test('policies of one namespace change nothing of the webhook for another', async () => {
  const rules = [onAll, onMaps, onMaps];
  const texts = ['bank', 'shop', 'farm'].map((namespace, at) =>
    namespacedPolicy(namespace, { resourceRules: [rules[at]] }),
  );
  const { validate } = await register(texts.join('---\n'));
  expect(validate).toMatchObject([
    { namespaceSelector: only('bank'), rules: [{ ...onAll, scope: 'Namespaced' }] },
    {
      namespaceSelector: selected('In', ['farm', 'shop']),
      rules: [{ ...onMaps, scope: 'Namespaced' }],
    },
  ]);
});

// The selector of the first webhook leaves out the Namespace `shop`, too. Other objects of the cluster have no namespace.
test.each<[resource: string, scope: string, expected: readonly object[]]>([
  ['configmaps', '*', []],
  ['namespaces', '*', [{ resources: ['namespaces'] }]],
  ['namespaces', 'Namespaced', []],
  ['*', 'Cluster', [{ resources: ['namespaces'] }]],
  ['*/*', '*', [{ resources: ['namespaces', 'namespaces/*'] }]],
  ['*/status', 'Cluster', [{ resources: ['namespaces/status'] }]],
])(
  'a policy of the cluster about %s with the scope %s stays in force for a Namespace with policies',
  async (resource, scope, expected) => {
    const ofCluster = policy({ rules: [{ ...onPods, resources: [resource], scope }] });
    const { validate } = await register([ofCluster, namespacedPolicy('shop', {})].join('---\n'));
    const rules = validate[1]?.['rules'] as readonly { readonly scope: string }[];
    expect(rules.filter((rule) => rule.scope === 'Cluster')).toMatchObject(expected);
    expect(rules.filter((rule) => rule.scope === '*')).toEqual([]);
  },
);

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

test('a rule with very many combinations is registered as a wider one', async () => {
  const [apiGroups, apiVersions, resources] = [names(300), names(300), names(300)];
  const rule = { ...onMaps, apiGroups, apiVersions, resources };
  const { validate } = await register(namespacedPolicy('shop', { resourceRules: [rule] }));
  expect(validate).toMatchObject([
    { rules: [{ apiGroups: ['*'], apiVersions: ['*'], scope: 'Namespaced' }] },
  ]);
});

test('the configuration stays small, however many tenants write policies and rules', async () => {
  const texts = names(40).map((name, at) => {
    const resources = [
      `r${at}`,
      ...(at % 10 === 0 ? names(900).map((each) => `${each}-resources`) : []),
    ];
    return namespacedPolicy(name, { resourceRules: [{ ...onMaps, resources }] });
  });
  const ofCluster = policy({ rules: [{ ...onPods, resources: ['pods', 'namespaces'] }] });
  const { validate } = await register([ofCluster, ...texts].join('---\n'));
  expect(validate.length).toBeLessThan(22);
  expect(JSON.stringify(validate).length).toBeLessThan(100_000);
  const called = validate.slice(1).flatMap(({ namespaceSelector }) => {
    const { matchExpressions } = namespaceSelector as unknown as ReturnType<typeof selected>;
    return matchExpressions.flatMap(({ values }) => values);
  });
  expect(called.sort()).toEqual(names(40).sort());
  const everything = { apiGroups: ['*'], resources: ['*/*'], scope: 'Namespaced' };
  const last = validate
    .slice(1)
    .find(({ namespaceSelector }) => JSON.stringify(namespaceSelector).includes('"n0"'));
  expect(last?.['rules']).toContainEqual(expect.objectContaining(everything));
  expect(last?.['rules']).toContainEqual(
    expect.objectContaining({ resources: ['namespaces', 'namespaces/*'], scope: 'Cluster' }),
  );
});
