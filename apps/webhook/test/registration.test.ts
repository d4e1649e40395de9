import { stringifyYaml } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { mergeRules } from '../src/registration/merge-rules.ts';
import { type Given, many, onAll, onPods, policy, prod, register } from './harness/registration.ts';

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

test('64 conditions, or one with the name of our own, are left to the webhook', async () => {
  const many = Array.from({ length: 64 }, (_, at) => ({ name: `c${at}`, expression: 'true' }));
  const same = [{ name: 'not-a-lifeline', expression: 'true' }];
  for (const matchConditions of [many, same]) {
    const { validate } = await register(policy({ rules: [onAll], spec: { matchConditions } }));
    expect(validate[0]?.['matchConditions']).toMatchObject([{ name: 'not-a-lifeline' }]);
    expect(validate[0]?.['matchConditions']).toHaveLength(1);
  }
});
