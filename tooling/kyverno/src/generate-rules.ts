import { phrases, type Random, words } from '@kubeadmit/random';
import { clusterPolicy, type Made, namespaces, resource, texts } from './generate-resource.ts';

const messages = [
  'no latest',
  'ends.',
  'name {{ request.object.metadata.name }}',
  '{{ missing }}',
  '',
  'el {{ element.name || `x` }}',
  undefined,
];

const kindSelectors = words(
  'Pod Deployment v1/Pod apps/v1/Deployment * CronJob DaemonSet ConfigMap',
  'Namespace Widget corp.io/*/Widget Service Deploy* */* Pod/status */Secret',
);

function filter(random: Random, rich: boolean): Made {
  const resources: Made = {
    kinds: random.chance(0.6)
      ? ['Pod']
      : Array.from({ length: 1 + random.below(2) }, () => random.pick(kindSelectors)),
  };
  if (rich && random.chance(0.15)) resources['name'] = random.pick(['web*', 'db', '*']);
  if (rich && random.chance(0.15))
    resources['names'] = random.list(0, 2, () => random.pick(['web*', 'db', 'a?']));
  if (random.chance(0.15))
    resources['namespaces'] = random.list(0, 2, () => random.pick(['prod', 'def*', '*', 'dev']));
  if (rich && random.chance(0.12))
    resources['selector'] = random.pick<Made>([
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'w*' } },
      { matchLabels: { '*': '*' } },
      {
        matchExpressions: [
          { key: 'color', operator: random.pick(['In', 'NotIn']), values: ['red', 'x'] },
        ],
      },
      { matchExpressions: [{ key: 'color', operator: random.pick(['Exists', 'DoesNotExist']) }] },
      {},
      { matchLabels: { 'a/b/c': '*' } },
    ]);
  if (rich && random.chance(0.1))
    resources['annotations'] = random.pick<Made>([
      { note: '*' },
      { 'corp/*': '1' },
      { note: 'red' },
    ]);
  if (random.chance(0.1))
    resources['namespaceSelector'] = random.pick<Made>([
      { matchLabels: { team: 'a' } },
      { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
      { matchLabels: { team: '?' } },
    ]);
  if (random.chance(0.1))
    resources['operations'] = random.list(0, 2, () => random.pick(['CREATE', 'UPDATE', 'DELETE']));
  const made: Made = { resources };
  if (random.chance(0.08))
    made['subjects'] = [
      random.pick([
        { kind: 'User', name: 'al*' },
        { kind: 'ServiceAccount', name: 'b-*', namespace: 'ci' },
        { kind: 'Group', name: 'system:*' },
      ]),
    ];
  if (random.chance(0.05)) made['clusterRoles'] = ['admin'];
  if (random.chance(0.05)) made['roles'] = ['ns:r'];
  if (random.chance(0.03)) delete made['resources'];
  return made;
}

function filters(random: Random, rich: boolean): Made {
  const kind = random.below(6);
  if (kind < 4)
    return { any: Array.from({ length: 1 + random.below(2) }, () => filter(random, rich)) };
  if (kind === 4)
    return { all: Array.from({ length: 1 + random.below(2) }, () => filter(random, rich)) };
  return filter(random, rich);
}

const keys = [
  '{{ request.object.metadata.name }}',
  "{{ request.object.metadata.labels.app || '' }}",
  '{{ request.operation }}',
  '{{ request.object.spec.containers[].image }}',
  '{{ request.object.metadata.namespace }}',
  '{{ request.object.spec.nope }}',
  '{{ images.containers.*.registry }}',
  '{{ length(request.object.spec.containers || `[]`) }}',
  '{{ serviceAccountName }}',
  '{{ request.userInfo.username }}',
  '{{ v }}',
  '{{ cm.data.k }}',
  '{{ element.name }}',
  '{{ elementIndex }}',
  '{{ request.object.spec.replicas }}',
  'fixed',
  "{{ images.containers.c0.tag || 'none' }}",
  '{{ mocked.x }}',
  '{{ request.namespace }}',
];

function condition(random: Random): Made {
  const made: Made = {
    key: random.pick(keys),
    operator: random.pick(
      words('Equals NotEquals AnyIn AllIn AnyNotIn AllNotIn GreaterThan LessThan In NotIn'),
    ),
    value: random.pick<unknown>([
      'web',
      'CREATE',
      ['web', 'db'],
      '*',
      1,
      '1',
      ['*:latest'],
      'docker.io',
      '',
      true,
      '{{ v }}',
      ['CREATE', 'UPDATE'],
    ]),
  };
  if (random.chance(0.3))
    made['message'] = random.pick(['because', 'was {{ request.operation }}', '']);
  return made;
}

function conditions(random: Random): unknown {
  const kind = random.below(8);
  if (kind === 0) return random.list(0, 2, () => condition(random));
  const made: Made = {};
  if (random.chance(0.6)) made['any'] = random.list(0, 2, () => condition(random));
  if (random.chance(0.6)) made['all'] = random.list(0, 2, () => condition(random));
  return made;
}

function anyAll(random: Random): Made {
  return { [random.pick(['any', 'all'])]: [condition(random)] };
}

const anchors = ['', '', '', '()', '=()', 'X()', '^()', '<()'];

function anchored(random: Random, key: string): string {
  const anchor = random.pick(anchors);
  return anchor === '' ? key : anchor.replace('()', `(${key})`);
}

function scalarPattern(random: Random): unknown {
  return random.chance(0.75)
    ? random.pick(texts)
    : random.pick<unknown>([
        true,
        false,
        5,
        1.5,
        null,
        80,
        8080,
        0,
        '{{ request.object.metadata.name }}',
        '{{ v }}',
        '$(/metadata/name)',
        '<$(/spec/replicas)',
      ]);
}

function containerPattern(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.6))
    made[anchored(random, 'image')] = random.pick<unknown>([
      ...words('*:latest !*:latest nginx* corp/* *'),
      scalarPattern(random),
    ]);
  if (random.chance(0.4))
    made[anchored(random, 'imagePullPolicy')] = random.pick(['Always', '!Always', '?*']);
  if (random.chance(0.4)) made[anchored(random, 'name')] = random.pick(['c*', 'c0', '?*', 'zzz']);
  if (random.chance(0.3))
    made[anchored(random, 'securityContext')] = {
      [anchored(random, 'privileged')]: random.pick<unknown>([false, true, 'false']),
      ...(random.chance(0.4) && {
        [anchored(random, 'runAsUser')]: random.pick<unknown>(['>0', 1000, '?*']),
      }),
    };
  if (random.chance(0.2))
    made[anchored(random, 'resources')] = {
      requests: {
        memory: random.pick(['?*', '<=1Gi', '64Mi-512Mi']),
        [anchored(random, 'cpu')]: random.pick(['<1', '?*']),
      },
    };
  if (random.chance(0.2))
    made[anchored(random, 'ports')] = [
      { [anchored(random, 'containerPort')]: random.pick<unknown>(['80??', 80, '>100', '!443']) },
    ];
  if (random.chance(0.15))
    made[anchored(random, 'args')] = random.pick<unknown>(['a', ['a*'], ['?*', 'zz'], []]);
  return made;
}

function specPattern(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.7))
    made[anchored(random, 'containers')] = random.chance(0.9)
      ? [containerPattern(random)]
      : random.pick<unknown>([
          '*',
          containerPattern(random),
          [containerPattern(random), containerPattern(random)],
          [[containerPattern(random)]],
          [],
        ]);
  if (random.chance(0.3))
    made[anchored(random, 'hostNetwork')] = random.pick<unknown>([false, 'false', '!true', null]);
  if (random.chance(0.3))
    made[anchored(random, 'volumes')] = [
      {
        [anchored(random, 'hostPath')]: random.pick<unknown>(['null', null, { path: '?*' }]),
        ...(random.chance(0.3) && { [anchored(random, 'name')]: 'v' }),
      },
    ];
  if (random.chance(0.2)) made[anchored(random, 'replicas')] = scalarPattern(random);
  if (random.chance(0.1)) made[anchored(random, 'template')] = { spec: specPattern(random) };
  return made;
}

function pattern(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.6)) made[anchored(random, 'spec')] = specPattern(random);
  if (random.chance(0.5))
    made[anchored(random, 'metadata')] = {
      [random.chance(0.7) ? 'labels' : anchored(random, 'labels')]: {
        [anchored(random, random.pick(['app', 'color', 'corp/*', '*', 'c?lor']))]:
          random.pick<unknown>(['?*', 'web', '*', 'red | x', 5]),
      },
      ...(random.chance(0.3) && {
        annotations: { [anchored(random, random.pick(['corp/*', 'note']))]: '?*' },
      }),
      ...(random.chance(0.3) && { [anchored(random, 'name')]: random.pick(texts) }),
    };
  if (random.chance(0.1)) made[anchored(random, 'data')] = { k: scalarPattern(random) };
  return made;
}

function foreach(random: Random, depth: number): Made {
  const made: Made = {
    list: random.pick([
      'request.object.spec.containers',
      'request.object.spec.containers',
      'request.object.spec.[initContainers, containers][]',
      'request.object.spec.nope',
      'request.object.spec.containers[].image',
      "items(request.object.metadata.labels || `{}`, 'key', 'value')",
      'request.object.metadata.name',
      'element.ports',
      'bad(',
      '`[null, 1, "x"]`',
      'images.containers.*.tag',
    ]),
  };
  if (random.chance(0.15)) made['elementScope'] = random.chance(0.5);
  if (random.chance(0.3)) made['preconditions'] = anyAll(random);
  if (random.chance(0.2)) made['context'] = [variable(random)];
  const kind = random.below(depth > 0 ? 4 : 3);
  if (kind === 0) made['pattern'] = random.chance(0.8) ? containerPattern(random) : pattern(random);
  else if (kind === 1) made['deny'] = { conditions: conditions(random) };
  else if (kind === 2) made['anyPattern'] = [containerPattern(random), containerPattern(random)];
  else made['foreach'] = [foreach(random, depth - 1)];
  return made;
}

function variable(random: Random): Made {
  return {
    name: 'v',
    variable: random.pick<Made>([
      { value: 'web' },
      { jmesPath: 'request.object.metadata.name' },
      { jmesPath: 'request.object.metadata.nope', default: 'dflt' },
      { jmesPath: 'request.object.metadata.nope' },
      { value: { a: 'web' }, jmesPath: 'a' },
      { value: '{{ request.operation }}' },
      { value: ['web', 'db'] },
      { value: { a: 1 }, jmesPath: 'zz' },
      { jmesPath: 'element.name', default: 'none' },
      { value: '{{ cm.data.k }}' },
      { jmesPath: 'to_number(`3`)' },
      { value: { a: 1 }, jmesPath: 'a..', default: 'x' },
    ]),
  };
}

function contextEntries(random: Random): Made[] {
  const made: Made[] = [];
  if (random.chance(0.5)) made.push(variable(random));
  if (random.chance(0.3))
    made.push({
      name: 'cm',
      configMap: {
        name: random.pick(['settings', 'nope', '{{ request.object.metadata.name }}']),
        ...(random.chance(0.7) && { namespace: random.pick(['default', 'prod']) }),
      },
    });
  if (random.chance(0.1)) made.push({ name: 'mocked', apiCall: { urlPath: '/api/v1/pods' } });
  if (random.chance(0.03)) made.push({ name: 'odd' });
  return made;
}

export function validateRule(random: Random, at: number, rich: boolean): Made {
  const validate: Made = {};
  const message = random.pick(messages);
  if (message !== undefined) validate['message'] = message;
  if (random.chance(0.2)) validate['failureAction'] = random.pick(['Enforce', 'Audit']);
  if (random.chance(0.1))
    validate['failureActionOverrides'] = [
      { action: 'Enforce', namespaces: [random.pick(['prod', '*'])] },
    ];
  if (random.chance(0.1)) validate['allowExistingViolations'] = random.chance(0.5);
  const kind = random.below(10);
  if (kind < 5) validate['pattern'] = pattern(random);
  else if (kind === 5) validate['anyPattern'] = [pattern(random), pattern(random)];
  else if (kind < 8)
    validate['deny'] = random.chance(0.05) ? {} : { conditions: conditions(random) };
  else validate['foreach'] = Array.from({ length: 1 + random.below(2) }, () => foreach(random, 1));
  return { ...ruleHead(random, at, rich), validate };
}

export function ruleHead(random: Random, at: number, rich: boolean): Made {
  const made: Made = { name: `r${at}`, match: filters(random, rich) };
  if (random.chance(0.2)) made['exclude'] = filters(random, rich);
  if (random.chance(0.3)) made['context'] = contextEntries(random);
  if (random.chance(0.3)) made['preconditions'] = conditions(random);
  return made;
}

export function policy(
  random: Random,
  at: number,
  rule: (random: Random, at: number, rich: boolean) => Made,
): Made {
  const rich = random.chance(0.5);
  const namespaced = random.chance(0.1);
  const spec: Made = {
    rules: Array.from({ length: 1 + random.below(2) }, (_, index) => rule(random, index, rich)),
  };
  if (random.chance(0.3))
    spec['validationFailureAction'] = random.pick(['Enforce', 'Audit', 'enforce']);
  if (random.chance(0.1)) spec['applyRules'] = 'One';
  if (random.chance(0.1))
    spec['validationFailureActionOverrides'] = [
      {
        action: 'Enforce',
        namespaces: ['prod'],
        ...(random.chance(0.5) && { namespaceSelector: { matchLabels: { team: 'a' } } }),
      },
    ];
  const annotations = random.chance(0.15)
    ? {
        annotations: {
          'pod-policies.kyverno.io/autogen-controllers': random.pick(phrases`
            none  Deployment  Deployment,CronJob  DaemonSet, CronJob  Foo
          `),
        },
      }
    : {};
  return {
    apiVersion: 'kyverno.io/v1',
    kind: namespaced ? 'Policy' : 'ClusterPolicy',
    metadata: {
      name: `p${at}`,
      ...(namespaced && { namespace: random.pick(namespaces) }),
      ...annotations,
    },
    spec,
  };
}

export function surroundings(random: Random): Made {
  const made: Made = {};
  if (random.chance(0.4))
    made['operation'] = random.pick(['UPDATE', 'DELETE', 'CREATE', 'CONNECT']);
  if (random.chance(0.15)) made['oldResource'] = resource(random);
  if (random.chance(0.3))
    made['userInfo'] = {
      username: random.pick(['alice', 'system:serviceaccount:ci:b-1', 'system:admin']),
      groups: ['system:authenticated'],
    };
  if (random.chance(0.1)) made['clusterRoles'] = ['admin'];
  if (random.chance(0.1)) made['roles'] = ['ns:r'];
  if (random.chance(0.3)) made['namespaceLabels'] = { team: random.pick(['a', 'b']) };
  if (random.chance(0.05)) made['subresource'] = random.pick(['status', 'ephemeralcontainers']);
  if (random.chance(0.5))
    made['context'] = {
      ...(random.chance(0.7) && {
        configmaps: [{ metadata: { name: 'settings', namespace: 'default' }, data: { k: 'web' } }],
      }),
      ...(random.chance(0.4) && { values: { 'mocked.x': 'web', 'cm.data.k': 'db' } }),
    };
  if (random.chance(0.15))
    made['exceptions'] = [
      {
        metadata: { name: 'ex', namespace: 'd' },
        spec: {
          exceptions: [{ policyName: 'p0', ruleNames: [random.pick(['r0', 'autogen-*', '*'])] }],
          match: filters(random, true),
          ...(random.chance(0.3) && { conditions: { any: [condition(random)] } }),
        },
      },
    ];
  if (random.chance(0.3)) made['cluster'] = true;
  return made;
}

/** A case for `rules` of one policy. */
export function policyCase(random: Random, rules: readonly Made[]): object {
  return {
    policies: [clusterPolicy('p0', { rules })],
    resource: resource(random),
    ...surroundings(random),
  };
}

/** A random case for `rules` with validate rules. */
export function generateValidation(random: Random): object {
  return {
    policies: Array.from({ length: 1 + random.below(2) }, (_, at) =>
      policy(random, at, validateRule),
    ),
    resource: resource(random),
    ...surroundings(random),
  };
}
