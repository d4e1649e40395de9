import { readFileSync } from 'node:fs';
import { stringifyYaml } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { PolicyStore } from '../src/policies/policy-store.ts';
import {
  exemptLifelines,
  isLifelineName,
  lifelineExpression,
  lifelineName,
  lifelines,
} from '../src/registration/lifelines.ts';
import { mayReach, mergeRules } from '../src/registration/merge-rules.ts';
import { computeRegistration, type Registration } from '../src/registration/webhooks.ts';

interface Given {
  readonly name?: string;
  readonly kind?: 'Validating' | 'Mutating';
  readonly rules?: readonly object[];
  readonly constraints?: object;
  readonly spec?: object;
  readonly isBound?: boolean;
  readonly actions?: readonly string[];
}

const onPods = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['pods'],
};
const onAll = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };

function policy({
  name = 'policy',
  kind = 'Validating',
  rules = [onPods],
  constraints = {},
  spec = {},
  isBound = true,
  actions = ['Deny'],
}: Given): string {
  const action =
    kind === 'Validating'
      ? { validations: [{ expression: 'true' }] }
      : {
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/spec/nodeName"}]' },
            },
          ],
        };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const made = {
    ...{ apiVersion, kind: `${kind}AdmissionPolicy`, metadata: { name } },
    spec: { matchConstraints: { resourceRules: rules, ...constraints }, ...action, ...spec },
  };
  const binding = {
    ...{ apiVersion, kind: `${kind}AdmissionPolicyBinding`, metadata: { name } },
    spec: { policyName: name, ...(kind === 'Validating' ? { validationActions: actions } : {}) },
  };
  return [made, ...(isBound ? [binding] : [])].map((each) => stringifyYaml(each)).join('---\n');
}

async function register(
  text: string,
  options: {
    readonly included?: readonly string[];
    readonly excluded?: readonly string[];
    readonly split?: 'effect' | 'failurePolicy';
  } = {},
): Promise<Omit<Registration, 'statuses'>> {
  const policies = new PolicyStore();
  const { problems } = await policies.load({ sources: [{ name: 'p.yaml', text }], problems: [] });
  expect(problems).toEqual([]);
  if (policies.current === undefined) throw new Error('no policies');
  return computeRegistration(policies.current.chain, {
    included: options.included ?? [],
    excludedNamespaces: options.excluded ?? [],
    timeoutSeconds: 10,
    checksOwnPolicies: false,
    checksKyvernoPolicies: false,
    split: options.split ?? 'effect',
  });
}

const many = (...given: readonly Given[]): string => given.map(policy).join('---\n');

test('a webhook has the rules of its policies and nothing else', async () => {
  const { validate, mutate, affected } = await register(policy({}));
  expect(validate).toEqual([
    {
      name: 'validate-fail.kubeadmit.dev',
      path: '/validate/fail',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 10,
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      rules: [{ ...onPods, scope: '*' }],
    },
  ]);
  expect(mutate).toEqual([]);
  expect(affected).toEqual([]);
});

test('policies with Fail, with Ignore, and mutating ones have separate webhooks', async () => {
  const { validate, mutate } = await register(
    many(
      { name: 'a' },
      { name: 'b', spec: { failurePolicy: 'Ignore' } },
      { name: 'c', kind: 'Mutating' },
      { name: 'd', isBound: false, rules: [onAll] },
    ),
  );
  const short = [...validate, ...mutate].map((each) => [
    each.name,
    each.path,
    each['failurePolicy'],
  ]);
  expect(short).toEqual([
    ['validate-fail.kubeadmit.dev', '/validate/fail', 'Fail'],
    ['validate-ignore.kubeadmit.dev', '/validate/ignore', 'Ignore'],
    ['mutate-fail.kubeadmit.dev', '/mutate/fail', 'Fail'],
  ]);
});

const kyverno = (spec: object): string =>
  stringifyYaml({
    ...{ apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name: 'policy' } },
    spec,
  });
const kyvernoRule = (validate: object): object => ({
  name: 'rule',
  match: { any: [{ resources: { kinds: ['Pod'] } }] },
  validate: { message: 'no', pattern: { metadata: { name: '?*' } }, ...validate },
});
const kyvernoCel = (spec: object): string =>
  stringifyYaml({
    ...{ apiVersion: 'policies.kyverno.io/v1', kind: 'ValidatingPolicy', metadata: { name: 'p' } },
    spec: {
      matchConstraints: { resourceRules: [onPods] },
      validations: [{ expression: 'true' }],
      ...spec,
    },
  });
const withParameters = {
  spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  actions: ['Audit'],
};

test.each([
  ['that denies', policy({ actions: ['Deny', 'Audit'] }), 'Fail'],
  ['that only warns and audits', policy({ actions: ['Warn', 'Audit'] }), 'Ignore'],
  ['that audits, and denies if a parameter is missing', policy(withParameters), 'Fail'],
  ['of Kyverno that audits by default', kyverno({ rules: [kyvernoRule({})] }), 'Ignore'],
  [
    'of Kyverno with a rule that denies',
    kyverno({ rules: [kyvernoRule({ failureAction: 'Enforce' })] }),
    'Fail',
  ],
  [
    'of Kyverno that denies in one namespace',
    kyverno({
      rules: [
        kyvernoRule({ failureActionOverrides: [{ action: 'Enforce', namespaces: ['shop'] }] }),
      ],
    }),
    'Fail',
  ],
  [
    'of Kyverno that denies, with the failure policy of its webhook',
    kyverno({
      validationFailureAction: 'Enforce',
      webhookConfiguration: { failurePolicy: 'Ignore' },
      rules: [kyvernoRule({})],
    }),
    'Ignore',
  ],
  ['of Kyverno in CEL that denies', kyvernoCel({ validationActions: ['Deny'] }), 'Fail'],
  ['of Kyverno in CEL that only audits', kyvernoCel({ validationActions: ['Audit'] }), 'Ignore'],
])('the webhook of a policy %s', async (_, text, failurePolicy) => {
  const { validate } = await register(text);
  expect(validate.map((webhook) => webhook['failurePolicy'])).toEqual([failurePolicy]);
});

test('by failure policy, a policy that only audits stays with those that deny', async () => {
  const cel = kyvernoCel({ validationActions: ['Audit'] });
  const text = `${policy({ actions: ['Audit'] })}---\n${cel}`;
  const { validate } = await register(text, { split: 'failurePolicy' });
  expect(validate.map((webhook) => webhook['failurePolicy'])).toEqual(['Fail']);
});

const prod = { matchLabels: { env: 'prod' } };
const condition = { name: 'c', expression: "request.userInfo.username != 'x'" };
const withParams = { name: 'c', expression: 'params != null' };

test.each([
  [
    'a selector that all policies share narrows the webhook',
    [{ constraints: { namespaceSelector: prod } }, { constraints: { namespaceSelector: prod } }],
    { namespaceSelector: prod },
  ],
  [
    'a selector that one policy lacks does not',
    [{ constraints: { namespaceSelector: prod } }, {}],
    { namespaceSelector: {} },
  ],
  [
    'a shared objectSelector narrows the webhook',
    [{ constraints: { objectSelector: prod } }, { constraints: { objectSelector: prod } }],
    { objectSelector: prod },
  ],
  [
    'shared match conditions are conditions of the webhook',
    [{ spec: { matchConditions: [condition] } }, { spec: { matchConditions: [condition] } }],
    { matchConditions: [condition] },
  ],
  [
    'other match conditions are not',
    [{ spec: { matchConditions: [condition] } }, {}],
    { matchConditions: undefined },
  ],
  [
    'conditions about parameters are not, since webhooks have none',
    [
      {
        spec: { matchConditions: [withParams], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      },
    ],
    { matchConditions: undefined },
  ],
  [
    'the webhook matches exactly where all policies do',
    [{ constraints: { matchPolicy: 'Exact' } }, { constraints: { matchPolicy: 'Exact' } }],
    { matchPolicy: 'Exact' },
  ],
  [
    'the webhook matches equivalents where one policy does',
    [{ constraints: { matchPolicy: 'Exact' } }, {}],
    { matchPolicy: 'Equivalent' },
  ],
])('%s', async (_, given, expected) => {
  const named = given.map((each, index) => ({ ...each, name: `policy-${index}` }) as Given);
  const { validate } = await register(many(...named));
  const [webhook] = validate;
  for (const [field, value] of Object.entries(expected)) expect(webhook?.[field]).toEqual(value);
});

test('excluded namespaces join a shared selector', async () => {
  const text = policy({ constraints: { namespaceSelector: prod } });
  const { validate } = await register(text, { excluded: ['kube-system', 'policies'] });
  expect(validate[0]?.['namespaceSelector']).toEqual({
    ...prod,
    matchExpressions: [
      {
        key: 'kubernetes.io/metadata.name',
        operator: 'NotIn',
        values: ['kube-system', 'policies'],
      },
    ],
  });
});

test('a policy about everything skips all lifelines and is reported', async () => {
  const { validate, affected } = await register(policy({ name: 'all', rules: [onAll] }));
  expect(validate[0]?.['matchConditions']).toEqual([
    { name: 'not-a-lifeline', expression: lifelineExpression(lifelines) },
  ]);
  expect(affected).toEqual([
    { policy: 'ValidatingAdmissionPolicy/all', exempt: lifelines.map(lifelineName) },
  ]);
});

test('a rule that names a lifeline is left out, unless it is included', async () => {
  const rules = [{ ...onPods, resources: ['pods', 'nodes', 'nodes/status'] }];
  const text = policy({ name: 'nodes', rules });
  const without = await register(text);
  expect(without.validate[0]?.['rules']).toEqual([{ ...onPods, scope: '*' }]);
  expect(without.validate[0]).not.toHaveProperty('matchConditions');
  expect(without.affected).toEqual([
    { policy: 'ValidatingAdmissionPolicy/nodes', exempt: ['nodes'] },
  ]);
  const within = await register(text, { included: ['nodes'] });
  expect(within.validate[0]?.['rules']).toEqual([
    { ...onPods, resources: ['nodes', 'nodes/status', 'pods'], scope: '*' },
  ]);
  expect(within.affected).toEqual([]);
});

test('a policy about lifelines alone registers nothing', async () => {
  const { validate } = await register(policy({ rules: [{ ...onPods, resources: ['nodes'] }] }));
  expect(validate).toEqual([]);
});

test.each([
  ['Pod', ['pods', 'pods/ephemeralcontainers']],
  ['Pod/exec', ['pods/exec']],
  ['apps/v1/Deployment', ['deployments']],
  ['*', ['*']],
  ['example.com/v1/Thing', ['*']],
])('a rule of Kyverno about %s registers %j', async (kind, resources) => {
  const rule = {
    name: 'rule',
    match: { any: [{ resources: { kinds: [kind] } }] },
    validate: { failureAction: 'Audit', message: 'm', pattern: { metadata: { name: '?*' } } },
  };
  const spec = { background: false, rules: [rule] };
  const metadata = {
    name: 'team',
    annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' },
  };
  const text = stringifyYaml({
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata,
    spec,
  });
  const { validate } = await register(text);
  const rules = validate[0]?.['rules'] as readonly { readonly resources: readonly string[] }[];
  expect(rules.flatMap((each) => each.resources)).toEqual(resources);
});

test.each([
  [['pods', '*'], ['*']],
  [
    ['pods/status', 'pods/*', 'pods'],
    ['pods', 'pods/*'],
  ],
  [['pods/scale', '*/scale'], ['*/scale']],
  [['pods', 'pods/exec', '*/*'], ['*/*']],
])(
  'of the resources %j, %j are named, since kube-apiserver refuses more',
  (resources, expected) => {
    const rules = resources.map((resource) => ({ ...onPods, resources: [resource], scope: '*' }));
    expect(mergeRules(rules, []).flatMap((rule) => rule.resources)).toEqual(expected);
  },
);

test('operations of one resource join, and `*` stands for all of them', () => {
  const rule = (operations: readonly string[]) => ({ ...onPods, operations, scope: '*' });
  expect(mergeRules([rule(['UPDATE']), rule(['CREATE'])], [])).toEqual([
    { ...onPods, operations: ['CREATE', 'UPDATE'], scope: '*' },
  ]);
  expect(mergeRules([rule(['*']), rule(['CREATE'])], [])[0]?.operations).toEqual(['*']);
});

test.each([
  ['', 'nodes'],
  ['', 'nodes/status'],
  ['networking.k8s.io', 'ipaddresses'],
  ['networking.k8s.io', 'servicecidrs'],
  ['storage.k8s.io', 'csinodes'],
  ['certificates.k8s.io', 'certificatesigningrequests'],
  ['apiregistration.k8s.io', 'apiservices'],
  ['flowcontrol.apiserver.k8s.io', 'flowschemas'],
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ['admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
  ['authentication.k8s.io', 'tokenreviews'],
  ['authorization.k8s.io', 'subjectaccessreviews'],
  ['coordination.k8s.io', 'leases'],
  ['', 'serviceaccounts/token'],
  ['', 'endpoints'],
  ['discovery.k8s.io', 'endpointslices'],
  ['', 'events'],
  ['events.k8s.io', 'events'],
  ['scheduling.k8s.io', 'priorityclasses'],
])('%s %s is a lifeline', (group, resource) => {
  const rule = { ...onPods, apiGroups: [group], resources: [resource], scope: '*' };
  expect(mergeRules([rule], lifelines)).toEqual([]);
  expect(lifelines.some((lifeline) => mayReach([rule], lifeline))).toBe(true);
});

test('lifelines are included by their names, with or without their groups', () => {
  for (const lifeline of lifelines) {
    expect(isLifelineName(lifelineName(lifeline))).toBe(true);
    expect(exemptLifelines([lifelineName(lifeline)])).not.toContain(lifeline);
  }
  expect(isLifelineName('leases.coordination.k8s.io')).toBe(true);
  expect(isLifelineName('pods')).toBe(false);
});

const chart = new URL('../', import.meta.url);

test.each(['chart/templates/webhooks.yaml', '../../tooling/webhook/renderings/least.yaml'])(
  'the static configurations of %s exempt the same lifelines',
  (file) => {
    const text = readFileSync(new URL(file, chart), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text).toContain(lifelineExpression(lifelines));
  },
);

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
test.each<[string, object, object, Partial<Registration['validate'][number]>]>([
  ['an unknown scope', { resourceRules: [{ ...onMaps, scope: 'Nope' }] }, {}, {}],
  [
    'an unknown operation',
    { resourceRules: [{ ...onMaps, operations: ['CREATE', 'FOO'] }] },
    {},
    {},
  ],
  [
    'an empty version and an empty resource',
    { resourceRules: [{ ...onMaps, apiVersions: ['v1', ''], resources: ['configmaps', ''] }] },
    {},
    {},
  ],
  ['an invalid label', { objectSelector: { matchLabels: { 'a b!': 'c' } } }, {}, {}],
  [
    'an unknown operator of a selector',
    { objectSelector: { matchExpressions: [{ key: 'x', operator: 'Nope' }] } },
    {},
    {},
  ],
  [
    'a condition, which may use functions of Kyverno,',
    {},
    {
      matchConditions: [{ name: 'x', expression: 'true' }],
    },
    {},
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

test('64 conditions, or one with the name of our own, are left to the webhook', async () => {
  const many = Array.from({ length: 64 }, (_, at) => ({ name: `c${at}`, expression: 'true' }));
  const same = [{ name: 'not-a-lifeline', expression: 'true' }];
  for (const matchConditions of [many, same]) {
    const { validate } = await register(policy({ rules: [onAll], spec: { matchConditions } }));
    expect(validate[0]?.['matchConditions']).toMatchObject([{ name: 'not-a-lifeline' }]);
    expect(validate[0]?.['matchConditions']).toHaveLength(1);
  }
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
