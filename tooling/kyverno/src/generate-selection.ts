import { type Random, words } from '@kubeadmit/random';
import type { Made } from './generate-resource.ts';

const subjects: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'Pod'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['batch/v1', 'CronJob'],
  ['v1', 'Namespace'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
  ['corp.io/v1beta1', 'Widget'],
  ['corp.io/v2', 'Widget'],
];

const kindSelectors = [
  ...words(
    'Pod pod P* Po? * */* */Pod v1/Pod v1/* v*/Pod */v1/Pod /v1/Pod Pod/status Pod/* Pod.status',
    '*/status */Status v1/Pod/status */*/Pod/status Pod/ephemeralcontainers */*/*/* */*/*/*/*',
    'apps/Deployment apps/v1/Deployment apps/*/Deployment apps/v1/* */v1/Deployment',
    'apps/v2/Deployment app?/v1/Dep*',
  ),
  '',
  ...words(
    '/ Deployment/scale apps/v1/Deployment/scale apps/v1/Deployment.scale Deployment.scale',
    'Namespace ClusterRole rbac.authorization.k8s.io/v1/ClusterRole *.k8s.io/*/ClusterRole',
    'Widget corp.io/v1beta1/Widget corp.io/*/Widget v1beta1/Widget corp.io/v2/Widget/x',
    'batch/v1/CronJob CronJob v1beta?/Widget v1alpha1/Widget ? ??d',
  ),
];

const nameTexts = ['web', 'web-*', 'w?b', '*', '', 'web-1', 'db', '*b', '日*', 'web*1', '**', '?'];
const namespaceTexts = ['prod', 'p*', 'default', '*', '', 'pro?', 'dev'];
const keys = ['app', 'env', 'corp/x', 'a*', '*', '?pp', 'a/b/c', '', 'corp/*'];
const labelTexts = ['web', 'w*', '*', '?', '', 'prod', 'w?b', 'no such'];

function pairs(random: Random): Made {
  return Object.fromEntries(random.list(0, 2, () => [random.pick(keys), random.pick(labelTexts)]));
}

function selector(random: Random): unknown {
  const requirement = (): Made => {
    const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'In', 'Nope']);
    return {
      key: random.pick(['app', 'env', 'corp/x', 'a*', '']),
      operator,
      ...(random.chance(operator.endsWith('In') ? 0.9 : 0.1) && {
        values: random.list(0, 2, () => random.pick(labelTexts)),
      }),
    };
  };
  return random.some({
    matchLabels: [0.6, () => pairs(random)],
    matchExpressions: [0.4, () => random.list(0, 2, requirement)],
  });
}

function filter(random: Random): Made {
  const resources = random.some({
    kinds: [0.93, () => random.list(1, 3, () => random.pick(kindSelectors))],
    name: [0.12, () => random.pick(nameTexts)],
    names: [0.12, () => random.list(0, 2, () => random.pick(nameTexts))],
    namespaces: [0.2, () => random.list(0, 2, () => random.pick(namespaceTexts))],
    annotations: [0.12, () => pairs(random)],
    selector: [0.2, () => selector(random)],
    namespaceSelector: [0.15, () => selector(random)],
    operations: [
      0.25,
      () => random.list(0, 2, () => random.pick(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'])),
    ],
  });
  return {
    ...random.some({ resources: [0.95, () => resources] }),
    ...random.some({
      subjects: [
        0.15,
        () =>
          random.list(0, 2, () =>
            random.pick([
              { kind: 'User', name: random.pick(['alice', 'a*', '*', '']) },
              { kind: 'Group', name: random.pick(['system:authenticated', 'dev?', '*']) },
              { kind: 'ServiceAccount', name: random.pick(['b', '*']), namespace: 'ci' },
              { kind: 'ServiceAccount', name: 'b' },
              { kind: 'Nope', name: 'alice' },
            ]),
          ),
      ],
      roles: [0.08, () => random.list(0, 2, () => random.pick(['ci:r', 'r', '*', 'ci:*']))],
      clusterRoles: [0.08, () => random.list(0, 2, () => random.pick(['admin', 'adm*', 'view']))],
    }),
  };
}

/** Filters of `match` or `exclude`, with every attribute. */
export function filters(random: Random): Made {
  const some = (): Made[] => random.list(0, 3, () => filter(random));
  return random.pick<() => Made>([
    () => ({ any: [filter(random), ...some()] }),
    () => ({ any: some() }),
    () => ({ all: [filter(random)] }),
    () => ({ all: some() }),
    () => filter(random),
    () => ({ any: some(), all: some() }),
  ])();
}

function metadata(random: Random, kind: string): Made {
  const isCluster = kind === 'Namespace' || kind === 'ClusterRole';
  const labels = (): Made =>
    random.some({
      app: [0.6, () => random.pick(['web', 'w', ''])],
      env: [0.4, () => 'prod'],
      'corp/x': [0.3, () => random.pick(['web', '1'])],
    });
  return {
    ...(random.chance(0.9)
      ? { name: random.pick(['web', 'web-1', 'db', '日本', 'prod']) }
      : { generateName: 'web-' }),
    ...(isCluster
      ? {}
      : random.some({ namespace: [0.85, () => random.pick(['prod', 'default'])] })),
    ...random.some({ labels: [0.8, labels], annotations: [0.5, labels] }),
  };
}

function overrides(random: Random): Made[] {
  return random.list(0, 2, () => ({
    action: random.pick(['Enforce', 'Audit', 'enforce', 'audit', 'Nope']),
    ...random.some({
      namespaces: [0.6, () => random.list(0, 2, () => random.pick(namespaceTexts))],
      namespaceSelector: [0.4, () => selector(random)],
    }),
  }));
}

function madeRule(random: Random, at: number): Made {
  return {
    name: `r${at}`,
    match: filters(random),
    ...random.some({
      exclude: [0.45, () => filters(random)],
      preconditions: [
        0.1,
        () => ({ all: [{ key: '{{ request.operation }}', operator: 'NotEquals', value: 'X' }] }),
      ],
    }),
    ...(random.chance(0.8)
      ? {
          validate: {
            message: 'no',
            ...random.pick<Made>([
              { deny: {} },
              { pattern: { metadata: { labels: { app: 'web' } } } },
              { pattern: { spec: { n: 2 } } },
            ]),
            ...random.some({
              failureAction: [0.4, () => random.pick(['Enforce', 'Audit', 'enforce'])],
              failureActionOverrides: [0.25, () => overrides(random)],
              allowExistingViolations: [0.3, () => random.chance(0.5)],
            }),
          },
        }
      : { mutate: { patchStrategicMerge: { metadata: { labels: { [`m${at}`]: 'x' } } } } }),
  };
}

function madePolicy(random: Random, at: number): Made {
  const namespaced = random.chance(0.2);
  return {
    apiVersion: 'kyverno.io/v1',
    kind: namespaced ? 'Policy' : 'ClusterPolicy',
    metadata: {
      name: `p${at}`,
      ...(namespaced && { namespace: random.pick(['prod', 'default']) }),
      annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' },
    },
    spec: {
      ...random.some({
        validationFailureAction: [0.4, () => random.pick(['Enforce', 'Audit', 'enforce'])],
        validationFailureActionOverrides: [0.25, () => overrides(random)],
        applyRules: [0.2, () => random.pick(['One', 'All'])],
      }),
      rules: random.list(1, 3, (index) => madeRule(random, index)),
    },
  };
}

function exceptionOf(random: Random): Made {
  return {
    metadata: { name: 'ex', namespace: 'd' },
    spec: {
      exceptions: [
        {
          policyName: random.pick(['p0', 'p*', 'prod/p0']),
          ruleNames: random.list(0, 2, () => random.pick(['r0', 'r?', '*', 'r1'])),
        },
      ],
      match: filters(random),
    },
  };
}

/**
 * A case for `rules` whose filters of every attribute match or nearly match the object, with the actions of failed
 * rules.
 */
export function generateSelection(random: Random): object {
  const [apiVersion, kind] = random.pick(subjects);
  const object = (): Made => ({
    apiVersion,
    kind,
    metadata: metadata(random, kind),
    spec: { n: 1 },
  });
  return {
    policies: random.list(1, 2, (at) => madePolicy(random, at)),
    resource: object(),
    ...random.some({
      operation: [0.6, () => random.pick(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'])],
      oldResource: [0.3, object],
      subresource: [0.25, () => random.pick(['status', 'scale', 'ephemeralcontainers', 'x'])],
      userInfo: [
        0.5,
        () => ({
          username: random.pick(['alice', 'system:serviceaccount:ci:b', '']),
          groups: random.pick([['system:authenticated'], ['devs', 'x'], []]),
        }),
      ],
      roles: [0.2, () => random.pick([['ci:r'], ['r']])],
      clusterRoles: [0.2, () => [random.pick(['admin', 'view'])]],
      namespaceLabels: [0.5, () => random.pick<Made>([{ app: 'web' }, { env: 'prod' }, {}])],
      cluster: [0.3, () => true],
      exceptions: [0.15, () => [exceptionOf(random)]],
    }),
  };
}
