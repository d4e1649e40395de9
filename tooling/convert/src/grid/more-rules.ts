import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';

// Areas of the grid beside those of `rules.ts`: functions, operations, webhook conditions, `applyRules`, nested anchors.

const calls: readonly string[] = [
  ...['keys(request.object.metadata.labels)', 'request.object.metadata.annotations.keys(@)'],
  ...['keys(request.object.spec.nodeSelector)', 'length(request.object.metadata.labels)'],
  ...['length(request.object.spec.volumes)', 'request.object.spec.tolerations | length(@)'],
  ...['to_upper(request.object.metadata.labels.team)', "split(request.object.metadata.name, 'u')"],
  ...[
    'request.object.metadata.labels.team | to_string(@)',
    'to_string(request.object.spec.priority)',
  ],
  ...[
    'to_array(request.object.spec.containers[].image)',
    'to_array(request.object.spec.volumes[].name)',
  ],
  ...[
    "contains(request.object.metadata.labels.team, 'a')",
    "contains(request.object.spec.containers[].image, 'b')",
  ],
  ...[
    "starts_with(request.object.metadata.labels.team, 'a')",
    "ends_with(request.object.spec.containers[1].image, 't')",
  ],
  ...[
    "join(',', request.object.metadata.finalizers)",
    "join(',', request.object.spec.containers[].name)",
  ],
  ...[
    'length(request.object.metadata.labels || `{}`)',
    'keys(request.object.metadata.labels || `{}`)',
  ],
  ...[
    'length(request.object.spec.volumes[?hostPath])',
    'sort(request.object.spec.containers[].name)',
  ],
  ...[
    "replace_all(request.object.metadata.labels.team, 'a', 'b')",
    'not_null(request.object.spec.priority)',
  ],
  ...[
    "regex_match('^a', request.object.metadata.labels.team)",
    'request.object.spec.containers[].ports[].hostPort | length(@)',
  ],
  ...[
    'max(request.object.spec.containers[].ports[].containerPort)',
    'request.object.spec.containers[0].env | length(@)',
  ],
];
const elementCalls: readonly string[] = [
  ...[
    'keys(element.resources.limits)',
    'element.resources.limits | length(@)',
    'length(element.ports)',
  ],
  ...['length(element.securityContext.capabilities.add)', 'keys(element.securityContext)'],
  ...[
    "contains(element.securityContext.capabilities.add, 'NET_ADMIN')",
    'to_upper(element.imagePullPolicy)',
  ],
  ...["starts_with(element.image, 'a')", 'to_string(element.securityContext.privileged)'],
  ...["split(element.image, ':')[1]", 'element.env[].value | length(@)', 'element.keys(@)'],
  ...['length(element.ports || `[]`)', 'to_array(element.ports[].hostPort)'],
];
const callOperators = [
  ...['Equals', 'NotEquals', 'In', 'AnyIn', 'AllIn', 'AnyNotIn', 'AllNotIn'],
  ...['GreaterThan', 'LessThan', 'GreaterThanOrEquals'],
] as const;
const callValues: readonly unknown[] = [
  ...[
    '',
    'a',
    'team',
    'k',
    '*',
    'A',
    'true',
    0,
    1,
    2,
    true,
    false,
    ['team'],
    ['a', 'k'],
    ['*'],
    [],
    [1],
  ],
  ...[
    'c,d',
    'disk',
    ['disk', 'team'],
    '1',
    'NET_ADMIN',
    'cpu',
    ['cpu', 'memory'],
    '1-2',
    ['b:latest'],
  ],
];

function calledCondition(random: Random, names: readonly string[]): JsonObject {
  const key = `{{ ${random.pick(names)} }}`;
  const operator = random.pick(callOperators);
  return random.chance(0.15)
    ? { key: random.pick(callValues), operator, value: key }
    : { key, operator, value: random.pick(callValues) };
}

function block(random: Random, names: readonly string[]): JsonObject {
  const count = random.chance(0.3) ? 2 : 1;
  const list = Array.from({ length: count }, () => calledCondition(random, names));
  return { [random.pick(['any', 'all'])]: list };
}

const pods = (operations: readonly string[]): JsonObject => ({
  any: [{ resources: { kinds: ['Pod'], operations } }],
});

/** A rule whose conditions call functions of values that may be absent. */
export function calledRule(random: Random): JsonObject {
  const operations = ['CREATE', 'UPDATE'];
  if (random.chance(0.5)) {
    const preconditions = random.chance(0.3) ? { preconditions: block(random, calls) } : {};
    const deny = { conditions: block(random, calls) };
    return {
      name: 'called',
      match: pods(operations),
      ...preconditions,
      validate: { message: 'm', deny },
    };
  }
  const preconditions = random.chance(0.6) ? { preconditions: block(random, elementCalls) } : {};
  const entry = {
    list: `request.object.spec.${random.pick(['containers', 'initContainers'])}`,
    ...preconditions,
    deny: random.chance(0.3) ? {} : { conditions: block(random, elementCalls) },
  };
  return { name: 'called', match: pods(operations), validate: { message: 'm', foreach: [entry] } };
}

const validations: readonly JsonObject[] = [
  { deny: {} },
  {
    deny: {
      conditions: {
        any: [
          {
            key: "{{ request.object.metadata.labels.team || '' }}",
            operator: 'Equals',
            value: 'a',
          },
        ],
      },
    },
  },
  { pattern: { metadata: { labels: { team: '?*' } } } },
  { pattern: { spec: { '=(hostNetwork)': false } } },
  {
    anyPattern: [
      { metadata: { labels: { x: '*' } } },
      { spec: { containers: [{ image: '*:*' }] } },
    ],
  },
  { pattern: { spec: { containers: [{ '(name)': 'c', image: 'registry.example/*' }] } } },
];
const operationSets = [
  ...[['CREATE'], ['UPDATE'], ['DELETE'], ['CREATE', 'UPDATE'], ['UPDATE', 'DELETE']],
  ...[['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], []],
] as const;

function described(random: Random): JsonObject {
  const operations = random.pick(operationSets);
  return {
    ...(random.chance(0.8) ? { kinds: [random.pick(['Pod', 'Pod', 'v1/Pod', '*'])] } : {}),
    ...(operations.length === 0 ? {} : { operations }),
    ...(random.chance(0.25) ? { names: [random.pick(['full', 'b*', '*'])] } : {}),
    ...(random.chance(0.2) ? { namespaces: [random.pick(['shop', 'p*'])] } : {}),
  };
}

/** A rule that names operations in `match` and `exclude`, and may deny updates of violating objects. */
export function operationRule(random: Random): JsonObject {
  const match = {
    [random.pick(['any', 'all'])]: Array.from({ length: 1 + random.below(2) }, () => ({
      resources: { ...described(random), kinds: ['Pod'] },
      ...(random.chance(0.15) ? { subjects: [{ kind: 'User', name: 'admin' }] } : {}),
    })),
  };
  const exclude = {
    [random.pick(['any', 'any', 'all'])]: Array.from({ length: 1 + random.below(2) }, () => ({
      ...(random.chance(0.85) ? { resources: described(random) } : {}),
      ...(random.chance(0.2) ? { subjects: [{ kind: 'User', name: 'admin' }] } : {}),
    })),
  };
  const existing = random.chance(0.4) ? { allowExistingViolations: random.chance(0.5) } : {};
  return {
    name: 'operations',
    match,
    ...(random.chance(0.7) ? { exclude } : {}),
    validate: { message: 'm', ...existing, ...random.pick(validations) },
  };
}

const conditionTexts: readonly string[] = [
  ...["request.userInfo.username != 'admin'", "object.metadata.name != 'full'"],
  ...['has(object.metadata.labels)', "object.metadata.labels.team == 'a'", 'object != null'],
  ...["oldObject.metadata.name != 'full'", 'oldObject == null', "request.operation != 'DELETE'"],
  ...[
    "request.operation == 'DELETE' || object.spec.hostNetwork",
    'object.?spec.priority.orValue(0) > 1',
  ],
  ...[
    "object.spec.containers.all(c, c.image != 'a')",
    "request.namespace == 'shop'",
    'true',
    'false',
  ],
  ...['object.metadata.annotations.k.size() > 1'],
];

/** A policy whose webhook has match conditions, which may fail. */
export function conditionalSpec(random: Random): JsonObject {
  const texts = Array.from({ length: 1 + random.below(3) }, () => random.pick(conditionTexts));
  const matchConditions = texts.map((expression, at) => ({ name: `c${at}`, expression }));
  const failurePolicy = random.chance(0.5)
    ? { failurePolicy: random.pick(['Fail', 'Ignore']) }
    : {};
  return { webhookConfiguration: { matchConditions, ...failurePolicy } };
}

/** The only rule of a policy with match conditions. */
export function conditionalRule(random: Random): JsonObject {
  const operations = random.pick(operationSets);
  const resources = { kinds: ['Pod'], ...(operations.length === 0 ? {} : { operations }) };
  if (random.chance(0.25)) {
    const match = pods(['CREATE', 'UPDATE']);
    return {
      name: 'c',
      match,
      mutate: { patchStrategicMerge: { metadata: { annotations: { new: 'b' } } } },
    };
  }
  return {
    name: 'c',
    match: { any: [{ resources }] },
    validate: { message: 'm', ...random.pick(validations) },
  };
}

/** Rules of which only the first one that applies is evaluated. */
export function rulesOfOne(random: Random): readonly JsonObject[] {
  const operations = random.pick([['CREATE'], ['CREATE'], ['CREATE', 'UPDATE']]);
  return Array.from({ length: 2 + random.below(2) }, (_, at) => {
    const narrow = random.pick([
      {},
      { names: ['b*'] },
      { selector: { matchLabels: { team: '?*' } } },
      { namespaces: ['shop'] },
    ]);
    const match = { any: [{ resources: { kinds: ['Pod'], operations, ...narrow } }] };
    if (random.chance(0.15)) {
      return {
        name: `r${at}`,
        match,
        mutate: { patchStrategicMerge: { metadata: { annotations: { new: 'b' } } } },
      };
    }
    const existing = random.chance(0.4) ? { allowExistingViolations: false } : {};
    return {
      name: `r${at}`,
      match,
      validate: { message: `m${at}`, ...existing, ...random.pick(validations) },
    };
  });
}

const anchors = ['', '', '()', '=()', 'X()', '<()', '^()'] as const;
const leaves: readonly unknown[] = [
  '*',
  '?*',
  'a',
  'c',
  true,
  false,
  0,
  '>0',
  '<100',
  '80',
  '!a',
  'A|a',
  null,
];

function anchoredKey(random: Random, key: string): string {
  const anchor = random.pick(anchors);
  return anchor === '' ? key : anchor.replace(')', `${key})`);
}

/** A pattern with anchors in maps and lists within lists. */
export function nestedPattern(random: Random): JsonObject {
  const leaf = (key: string): JsonObject => ({ [anchoredKey(random, key)]: random.pick(leaves) });
  const container = (): JsonObject => ({
    ...(random.chance(0.5) ? leaf(random.pick(['name', 'image', 'imagePullPolicy'])) : {}),
    ...random.pick([
      { [anchoredKey(random, 'ports')]: [leaf(random.pick(['hostPort', 'containerPort']))] },
      { [anchoredKey(random, 'env')]: [{ ...leaf('name'), ...leaf('value') }] },
      {
        [anchoredKey(random, 'securityContext')]: {
          [anchoredKey(random, 'capabilities')]: {
            [anchoredKey(random, 'add')]: [random.pick(['a', '*', '!NET_ADMIN'])],
          },
        },
      },
      {
        [anchoredKey(random, 'resources')]: {
          [anchoredKey(random, 'limits')]: { ...leaf('memory'), ...leaf('cpu') },
        },
      },
    ]),
  });
  const spec = random.pick([
    () => ({ [anchoredKey(random, 'containers')]: [container()] }),
    () => ({
      [anchoredKey(random, 'containers')]: [container()],
      [anchoredKey(random, 'initContainers')]: [container()],
    }),
    () => ({
      [anchoredKey(random, 'volumes')]: [
        { ...leaf('name'), [anchoredKey(random, 'hostPath')]: leaf('path') },
      ],
    }),
    () => ({ ...leaf('hostNetwork'), [anchoredKey(random, 'containers')]: [leaf('image')] }),
  ])();
  const metadata = random.chance(0.3)
    ? { [anchoredKey(random, 'metadata')]: { [anchoredKey(random, 'labels')]: leaf('team') } }
    : {};
  return { ...metadata, [random.chance(0.1) ? anchoredKey(random, 'spec') : 'spec']: spec };
}

/** A patch with conditions within conditions, and additions beside them. */
export function nestedPatch(random: Random): JsonObject {
  const condition = (key: string, value: unknown): JsonObject => ({
    [random.pick([`(${key})`, key, `<(${key})`, `=(${key})`])]: value,
  });
  const spec = random.pick([
    () => ({ '(nodeSelector)': condition('disk', random.pick(['?*', 'ssd', '*'])) }),
    () => ({
      '(securityContext)': {
        ...condition('runAsNonRoot', random.pick([true, false])),
        ...condition('runAsUser', random.pick(['>0', 0])),
      },
    }),
    () => ({ securityContext: { '(runAsNonRoot)': true, '+(runAsUser)': 7 } }),
    () => ({ '<(hostNetwork)': random.pick([true, false]), '+(hostPID)': true }),
    () => ({
      containers: [
        {
          '(name)': random.pick(['c', '*', 'a']),
          '+(securityContext)': { privileged: false },
          '+(imagePullPolicy)': 'Always',
        },
      ],
    }),
    () => ({
      containers: [
        {
          '(image)': random.pick(['*:latest', 'a*', '*']),
          securityContext: { '+(privileged)': false },
        },
      ],
    }),
  ])();
  return {
    spec,
    metadata: { annotations: { [random.pick(['new', '+(k)', '+(new)'])]: 'z' } },
  };
}
