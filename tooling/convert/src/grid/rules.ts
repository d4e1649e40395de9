import type { JsonObject } from '@kubeadmit/apimachinery';
import { Random } from '@kubeadmit/random';
import { controllerRequests, type GridRequest, mapRequests, podRequests } from './objects.ts';

/** A policy of the grid, what it depends on, and the requests that it is compared on. */
export interface GridCase {
  readonly id: string;
  readonly policy: JsonObject;
  readonly related?: readonly JsonObject[];
  readonly requests: readonly GridRequest[];
}

const plain = { 'pod-policies.kyverno.io/autogen-controllers': 'none' };

function policyOf(rules: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'grid', annotations: plain },
    spec: { validationFailureAction: 'Enforce', background: false, ...spec, rules },
  };
}

const matchPods = { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE', 'UPDATE'] } }] };
const matchAllPods = { any: [{ resources: { kinds: ['Pod'] } }] };
const matchMaps = { any: [{ resources: { kinds: ['ConfigMap'], operations: ['CREATE'] } }] };

const fields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels.team',
  'metadata.labels',
  'metadata.annotations',
  'metadata.annotations.k',
  'metadata.annotations.n',
  'metadata.finalizers',
  'spec.hostNetwork',
  'spec.priority',
  'spec.volumes',
  'spec.nodeSelector',
  'spec.nodeSelector.disk',
  'spec.serviceAccountName',
  'spec.securityContext',
  'spec.securityContext.runAsUser',
  'spec.securityContext.runAsNonRoot',
  'spec.containers',
  'spec.containers[0].image',
  'spec.containers[1].image',
  'spec.containers[0].resources.limits.cpu',
  'spec.containers[0].securityContext',
  'spec.containers[0].securityContext.privileged',
  'spec.containers[].image',
  'spec.containers[].securityContext.privileged',
  'spec.containers[].ports[].hostPort',
  'spec.initContainers[].image',
  'spec.tolerations[].key',
  'spec.terminationGracePeriodSeconds',
] as const;
const elementFields = [
  'name',
  'image',
  'imagePullPolicy',
  'securityContext',
  'securityContext.privileged',
  'securityContext.capabilities.add',
  'resources.limits.cpu',
  'resources.limits',
  'ports',
  'ports[].hostPort',
  'ports[0].containerPort',
  'env[].value',
] as const;
const defaults = [
  ...['', " || ''", " || 'a'", ' || `0`', ' || `5`', ' || `false`', ' || `true`', ' || `[]`'],
  ...[' || `{}`', ' || `null`', ' || `"a"`', ' || `["a"]`', ' || `{"a":"b"}`', " || '*'"],
  ...[' || request.object.metadata.name', ' || request.object.metadata.labels.x', ' | length(@)'],
] as const;
const operators = [
  ...['Equals', 'NotEquals', 'In', 'AnyIn', 'AllIn', 'NotIn', 'AnyNotIn', 'AllNotIn'],
  ...['GreaterThan', 'GreaterThanOrEquals', 'LessThan', 'LessThanOrEquals'],
  ...['DurationGreaterThan', 'DurationLessThan', 'Equal', 'NotEqual'],
] as const;
const values: readonly unknown[] = [
  ...[
    '',
    'a',
    '*',
    '?*',
    'b*',
    'true',
    'false',
    '0',
    '5',
    '500m',
    '1',
    '10m',
    'registry.example/*',
  ],
  ...[
    true,
    false,
    0,
    1,
    5,
    100,
    0.5,
    null,
    [],
    {},
    ['a'],
    ['a', 'b*'],
    ['*'],
    [''],
    [true],
    [false],
  ],
  ...[
    ['true'],
    [0],
    [5],
    ['0', '5'],
    [1, 'a'],
    'a|b',
    '>3',
    '<1000',
    '1-10',
    '!a',
    ['a', 'd', 'c'],
  ],
];

function keyOf(random: Random, root: string, names: readonly string[]): string {
  return `{{ ${root}.${random.pick(names)}${random.pick(defaults)} }}`;
}

function condition(random: Random, root: string, names: readonly string[]): JsonObject {
  const key = keyOf(random, root, names);
  if (random.chance(0.12)) {
    return { key: random.pick(values), operator: random.pick(operators), value: key };
  }
  if (random.chance(0.05)) {
    const value = keyOf(random, root, names);
    return { key, operator: random.pick(operators), value };
  }
  return { key, operator: random.pick(operators), value: random.pick(values) };
}

function denyRule(random: Random): JsonObject {
  const own = condition(random, 'request.object', fields);
  const conditions = random.chance(0.2)
    ? [own, condition(random, 'request.object', fields)]
    : [own];
  const preconditions = random.chance(0.1)
    ? { preconditions: { all: [condition(random, 'request.object', fields)] } }
    : {};
  return {
    name: 'deny',
    match: random.chance(0.15) ? matchAllPods : matchPods,
    ...preconditions,
    validate: { message: 'm', deny: { conditions: { [random.pick(['any', 'all'])]: conditions } } },
  };
}

function loopRule(random: Random): JsonObject {
  const lists = ['containers', 'initContainers', '[containers, initContainers][]'];
  const list = `request.object.spec.${random.pick(lists)}`;
  const own = condition(random, 'element', elementFields);
  const preconditions = random.chance(0.2)
    ? {
        preconditions: {
          [random.pick(['any', 'all'])]: [condition(random, 'element', elementFields)],
        },
      }
    : {};
  const test = random.chance(0.7)
    ? { deny: { conditions: { [random.pick(['any', 'all'])]: [own] } } }
    : { pattern: elementPattern(random) };
  return {
    name: 'loop',
    match: matchPods,
    validate: { message: 'm', foreach: [{ list, ...preconditions, ...test }] },
  };
}

const scalars: readonly unknown[] = [
  ...[true, false, 'true', 'false', 0, 5, '5', '>3', '<=5', '*', '?*', 'a', '!a', 'a|b', '!a & !b'],
  ...['', null, '500m', '<2', '1-10', '10!-20', '*:latest', '!*:latest', 'registry.example/*', '0'],
];

function anchored(random: Random, key: string, weight = 0.4): string {
  if (!random.chance(weight)) return key;
  return random.pick([`(${key})`, `=(${key})`, `X(${key})`, `<(${key})`, `^(${key})`]);
}

function elementPattern(random: Random): JsonObject {
  const made: Record<string, unknown> = {};
  const count = 1 + random.below(3);
  for (let at = 0; at < count; at++) {
    const key = random.pick([
      'name',
      'image',
      'securityContext',
      'resources',
      'ports',
      'imagePullPolicy',
    ]);
    switch (key) {
      case 'securityContext':
        made[anchored(random, key)] = { [anchored(random, 'privileged')]: random.pick(scalars) };
        break;
      case 'resources':
        made[anchored(random, key)] = {
          [anchored(random, 'limits')]: { [anchored(random, 'cpu')]: random.pick(scalars) },
        };
        break;
      case 'ports':
        made[anchored(random, key)] = [
          { [anchored(random, random.pick(['hostPort', 'containerPort']))]: random.pick(scalars) },
        ];
        break;
      default:
        made[anchored(random, key)] = random.pick(scalars);
    }
  }
  return made;
}

function podPattern(random: Random): JsonObject {
  const spec: Record<string, unknown> = {};
  const count = 1 + random.below(2);
  for (let at = 0; at < count; at++) {
    const key = random.pick([
      ...['hostNetwork', 'priority', 'securityContext', 'containers', 'containers', 'volumes'],
      ...['nodeSelector', 'initContainers', 'tolerations', 'serviceAccountName'],
    ]);
    switch (key) {
      case 'securityContext':
        spec[anchored(random, key)] = {
          [anchored(random, random.pick(['runAsUser', 'runAsNonRoot']))]: random.pick(scalars),
        };
        break;
      case 'containers':
      case 'initContainers':
        spec[anchored(random, key)] = [elementPattern(random)];
        break;
      case 'volumes':
        spec[anchored(random, key)] = [
          { [anchored(random, random.pick(['name', 'hostPath']))]: random.pick(['a', '*', 'x*']) },
        ];
        break;
      case 'tolerations':
        spec[anchored(random, key)] = [{ [anchored(random, 'key')]: random.pick(scalars) }];
        break;
      case 'nodeSelector':
        spec[anchored(random, key)] = { [anchored(random, 'disk')]: random.pick(scalars) };
        break;
      default:
        spec[anchored(random, key)] = random.pick(scalars);
    }
  }
  const metadata = random.chance(0.3)
    ? {
        metadata: {
          [anchored(random, random.pick(['labels', 'annotations']))]: {
            [anchored(random, random.pick(['team', 'k', 'n', 'x']))]: random.pick(scalars),
          },
        },
      }
    : {};
  return { ...metadata, [anchored(random, 'spec', 0.1)]: spec };
}

function patternRule(random: Random): JsonObject {
  const validate = random.chance(0.8)
    ? { pattern: podPattern(random) }
    : { anyPattern: [podPattern(random), podPattern(random)] };
  return { name: 'pattern', match: matchPods, validate: { message: 'm', ...validate } };
}

const patchScalars: readonly unknown[] = [
  ...[
    'b',
    'IfNotPresent',
    '{{ request.object.metadata.name }}',
    '{{ request.object.metadata.labels.team }}',
  ],
  ...["{{ request.object.metadata.labels.team || 'none' }}", '{{ request.operation }}'],
];

function patchAnchor(random: Random, key: string): string {
  return random.chance(0.45)
    ? random.pick([`+(${key})`, `+(${key})`, `(${key})`, `<(${key})`])
    : key;
}

function patchElement(random: Random): JsonObject {
  const made: Record<string, unknown> = {};
  const name = random.pick(['(name)', 'name', '(image)', '<(image)', undefined]);
  if (name !== undefined) made[name] = random.pick(['*', 'c', 'a', '?*', 'proxy.example/*', '!c']);
  const count = 1 + random.below(2);
  for (let at = 0; at < count; at++) {
    const key = random.pick(['imagePullPolicy', 'securityContext', 'resources', 'env']);
    switch (key) {
      case 'securityContext':
        made[patchAnchor(random, key)] = {
          [patchAnchor(random, 'privileged')]: random.pick([true, false]),
          ...(random.chance(0.3) ? { [patchAnchor(random, 'readOnlyRootFilesystem')]: true } : {}),
        };
        break;
      case 'resources':
        made[random.chance(0.5) ? key : `+(${key})`] = {
          [random.chance(0.5) ? 'limits' : '+(limits)']: {
            [patchAnchor(random, 'cpu')]: random.pick(['1', '500m']),
          },
        };
        break;
      case 'env':
        made[key] = [{ name: random.pick(['A', 'B']), value: random.pick(patchScalars) }];
        break;
      default:
        made[patchAnchor(random, key)] = random.pick(['Always', 'IfNotPresent']);
    }
  }
  return made;
}

function podPatch(random: Random): JsonObject {
  const made: Record<string, unknown> = {};
  if (random.chance(0.6)) {
    const spec: Record<string, unknown> = {};
    const count = 1 + random.below(2);
    for (let at = 0; at < count; at++) {
      const key = random.pick([
        ...['containers', 'containers', 'initContainers', 'hostNetwork', 'securityContext'],
        ...['imagePullSecrets', 'volumes', 'tolerations', 'nodeSelector', 'priority'],
      ]);
      switch (key) {
        case 'containers':
        case 'initContainers':
          spec[random.chance(0.85) ? key : random.pick([`+(${key})`, `(${key})`])] = [
            patchElement(random),
          ];
          break;
        case 'securityContext':
          spec[patchAnchor(random, key)] = {
            [patchAnchor(random, random.pick(['runAsUser', 'runAsNonRoot']))]: random.pick([
              true,
              0,
              1000,
              '>0',
            ]),
          };
          break;
        case 'imagePullSecrets':
          spec[random.chance(0.7) ? key : `+(${key})`] = [{ name: random.pick(['a', 'z']) }];
          break;
        case 'volumes':
          spec[random.chance(0.7) ? key : `+(${key})`] = [
            { name: random.pick(['a', 'z']), emptyDir: {} },
          ];
          break;
        case 'tolerations':
          spec[random.chance(0.7) ? key : `+(${key})`] = [{ key: 'z', operator: 'Exists' }];
          break;
        case 'nodeSelector':
          spec[patchAnchor(random, key)] = {
            [patchAnchor(random, 'disk')]: random.pick(['hdd', 'ssd', '?*']),
          };
          break;
        default:
          spec[patchAnchor(random, key)] = random.pick([true, false, 5]);
      }
    }
    made['spec'] = spec;
  }
  if (made['spec'] === undefined || random.chance(0.4)) {
    made['metadata'] = {
      [random.chance(0.8)
        ? random.pick(['labels', 'annotations'])
        : random.pick(['+(labels)', '(labels)'])]: random.chance(0.08)
        ? '{{ request.object.metadata.labels }}'
        : { [patchAnchor(random, random.pick(['team', 'new', 'k']))]: random.pick(patchScalars) },
    };
  }
  return made;
}

function jsonPatch(random: Random): string {
  const operations = Array.from({ length: 1 + random.below(2) }, () => {
    const path = random.pick([
      ...['/metadata/labels/team', '/metadata/annotations/k', '/metadata/annotations/new~1x'],
      ...['/spec/securityContext/runAsUser', '/spec/nodeSelector/disk', '/spec/hostNetwork'],
      ...['/spec/containers/0/imagePullPolicy', '/spec/containers/-', '/spec/containers/1/image'],
      ...[
        '/spec/volumes/-',
        '/spec/tolerations/0',
        '/spec/imagePullSecrets/-',
        '/spec/imagePullSecrets/0',
      ],
      ...['/spec/containers/0/securityContext/privileged', '/spec/containers/0/env/-'],
    ]);
    const value = path.includes('containers/-')
      ? { name: 'z', image: 'z' }
      : /volumes/.test(path)
        ? { name: 'z', emptyDir: {} }
        : /tolerations/.test(path)
          ? { key: 'z', operator: 'Exists' }
          : /PullSecrets/.test(path)
            ? { name: 'z' }
            : /env/.test(path)
              ? { name: 'Z', value: 'z' }
              : /runAsUser/.test(path)
                ? 5
                : /hostNetwork|privileged/.test(path)
                  ? true
                  : /PullPolicy/.test(path)
                    ? 'Always'
                    : random.pick(['z', '{{ request.object.metadata.name }}']);
    const op = random.pick(['add', 'add', 'add', 'replace', 'remove', 'test']);
    return op === 'remove' ? { op, path } : { op, path, value };
  });
  return JSON.stringify(operations);
}

function mutateRule(random: Random): JsonObject {
  const loop = {
    list: `request.object.spec.${random.pick(['containers', 'initContainers', 'volumes'])}`,
    ...(random.chance(0.4)
      ? {
          preconditions: {
            all: [condition(random, 'element', ['name', 'image', 'imagePullPolicy'])],
          },
        }
      : {}),
    ...(random.chance(0.7)
      ? {
          patchStrategicMerge: {
            spec: {
              containers: [
                {
                  [random.pick(['name', '(name)'])]: '{{ element.name }}',
                  [patchAnchor(random, 'imagePullPolicy')]: 'Always',
                },
              ],
            },
          },
        }
      : {
          patchesJson6902: `[{"op":"add","path":"/spec/containers/{{elementIndex}}/${random.pick(['imagePullPolicy', 'workingDir'])}","value":"Always"}]`,
        }),
  };
  const mutate = random.chance(0.7)
    ? { patchStrategicMerge: podPatch(random) }
    : random.chance(0.6)
      ? { patchesJson6902: jsonPatch(random) }
      : { foreach: [loop] };
  const preconditions = random.chance(0.2)
    ? { preconditions: { all: [condition(random, 'request.object', fields)] } }
    : {};
  return {
    name: 'mutate',
    match: { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] },
    ...preconditions,
    mutate,
  };
}

function severalRules(random: Random): JsonObject {
  const label = (): string => random.pick(['team', 'a', 'x', 'new']);
  const rules = Array.from({ length: 2 + random.below(2) }, (_, at) => {
    const selector = random.chance(0.4)
      ? { selector: { matchLabels: { [label()]: random.pick(['a', '?*', 'b', 'y']) } } }
      : {};
    const match = { any: [{ resources: { ...matchMaps.any[0]?.resources, ...selector } }] };
    const name = `r${at}`;
    const key = random.chance(0.5) ? label() : `+(${label()})`;
    if (random.chance(0.55)) {
      const value = random.pick([
        'y',
        'b',
        '{{ request.object.metadata.labels.team }}',
        "{{ request.object.metadata.labels.a || 'none' }}",
      ]);
      const field = random.pick(['labels', 'labels', 'annotations']);
      return {
        name,
        match,
        mutate: { patchStrategicMerge: { metadata: { [field]: { [key]: value } } } },
      };
    }
    return {
      name,
      match,
      validate: {
        message: name,
        pattern: { metadata: { labels: { [label()]: random.pick(['?*', 'y', 'a|b']) } } },
      },
    };
  });
  return policyOf(rules, random.chance(0.4) ? { applyRules: 'One' } : {});
}

function selectedRule(random: Random): { policy: JsonObject; related: readonly JsonObject[] } {
  const filter = (): JsonObject => {
    const own: Record<string, unknown> = {};
    if (random.chance(0.6)) {
      own['namespaceSelector'] = random.pick([
        { matchLabels: { type: 'tenant' } },
        { matchExpressions: [{ key: 'type', operator: 'NotIn', values: ['tenant'] }] },
        { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
        { matchLabels: { type: 't*' } },
      ]);
    }
    if (random.chance(0.4)) {
      own['selector'] = random.pick([
        { matchLabels: { task: 'one' } },
        { matchExpressions: [{ key: 'task', operator: 'Exists' }] },
        { matchLabels: { team: '*' } },
      ]);
    }
    if (random.chance(0.3)) own['namespaces'] = [random.pick(['shop', 'pro*'])];
    if (random.chance(0.3)) own['names'] = [random.pick(['full', 'b*'])];
    if (random.chance(0.35))
      own['operations'] = random.pick([
        ['CREATE'],
        ['UPDATE'],
        ['UPDATE', 'DELETE'],
        ['CREATE', 'UPDATE'],
      ]);
    if (random.chance(0.25)) own['annotations'] = { k: random.pick(['v', '*', '10*']) };
    return own;
  };
  const isMutation = random.chance(0.45);
  const match = {
    [random.pick(['any', 'all'])]: Array.from({ length: 1 + random.below(2) }, () => ({
      resources: {
        kinds: ['Pod'],
        ...(isMutation ? { operations: ['CREATE', 'UPDATE'] } : {}),
        ...filter(),
      },
      ...(random.chance(0.1) ? { subjects: [{ kind: 'User', name: 'admin' }] } : {}),
    })),
  };
  const exclude = random.chance(0.5)
    ? {
        exclude: {
          [random.pick(['any', 'all'])]: Array.from({ length: 1 + random.below(2) }, () => ({
            resources: filter(),
          })),
        },
      }
    : {};
  const action = isMutation
    ? { mutate: { patchStrategicMerge: { metadata: { annotations: { new: 'b' } } } } }
    : { validate: { message: 'm', deny: {} } };
  const related = random.chance(0.15)
    ? [
        {
          apiVersion: 'kyverno.io/v2',
          kind: 'PolicyException',
          metadata: { name: 'e', namespace: 'shop' },
          spec: {
            exceptions: [{ policyName: 'grid', ruleNames: ['selected'] }],
            match: { any: [{ resources: { kinds: ['Pod'], ...filter() } }] },
          },
        },
      ]
    : [];
  return { policy: policyOf([{ name: 'selected', match, ...exclude, ...action }]), related };
}

function webhookPolicy(random: Random): JsonObject {
  const webhookConfiguration = {
    ...(random.chance(0.6) ? { failurePolicy: random.pick(['Fail', 'Ignore']) } : {}),
    ...(random.chance(0.6)
      ? {
          matchConditions: [
            {
              name: 'c',
              expression: random.pick([
                "request.userInfo.username != 'admin'",
                "object.metadata.name != 'full'",
                'has(object.metadata.labels)',
              ]),
            },
          ],
        }
      : {}),
  };
  return policyOf([random.chance(0.6) ? denyRule(random) : mutateRule(random)], {
    webhookConfiguration,
    ...(random.chance(0.3) ? { emitWarning: true } : {}),
    ...(random.chance(0.3) ? { failurePolicy: 'Ignore' } : {}),
    ...(random.chance(0.3) ? { validationFailureAction: 'Audit' } : {}),
  });
}

// Kyverno makes rules for the controllers of pods of these.
function controllerPolicy(random: Random): JsonObject {
  const rule = random.pick([denyRule, loopRule, patternRule, mutateRule])(random);
  return { ...policyOf([rule]), metadata: { name: 'grid' } };
}

function contextCase(random: Random): { policy: JsonObject; related: readonly JsonObject[] } {
  const isMap = random.chance(0.4);
  const field = random.pick(fields);
  const entry = isMap
    ? { name: 'v', configMap: { name: 'settings', namespace: 'shop' } }
    : {
        name: 'v',
        variable: {
          jmesPath: `request.object.${field}`,
          ...(random.chance(0.7)
            ? { default: random.pick(['', 'a', 0, 5, true, false, [], {}, ['a']]) }
            : {}),
        },
      };
  const shown = isMap
    ? 'v.data.teams'
    : random.pick(['v', 'v', "v || ''", 'length(v)', 'to_string(v)']);
  const own = {
    key: isMap ? "{{ request.object.metadata.labels.team || '' }}" : `{{ ${shown} }}`,
    operator: random.pick(operators),
    value: isMap ? `{{ ${shown} }}` : random.pick(values),
  };
  const rule = {
    name: 'context',
    match: matchPods,
    context: [entry],
    validate: { message: 'm', deny: { conditions: { any: [own] } } },
  };
  const related =
    isMap && random.chance(0.7)
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'settings', namespace: 'shop' },
            data: { teams: random.pick(['a', '["a","b"]', '*', '']) },
          },
        ]
      : [];
  return { policy: policyOf([rule]), related };
}

const areas: readonly (readonly [
  string,
  number,
  (random: Random) => Pick<GridCase, 'policy' | 'related' | 'requests'>,
])[] = [
  ['defaults', 30, (random) => ({ policy: policyOf([denyRule(random)]), requests: podRequests })],
  ['loops', 12, (random) => ({ policy: policyOf([loopRule(random)]), requests: podRequests })],
  [
    'patterns',
    16,
    (random) => ({ policy: policyOf([patternRule(random)]), requests: podRequests }),
  ],
  [
    'mutations',
    16,
    (random) => ({ policy: policyOf([mutateRule(random)]), requests: podRequests }),
  ],
  ['several', 8, (random) => ({ policy: severalRules(random), requests: mapRequests })],
  ['selectors', 8, (random) => ({ ...selectedRule(random), requests: podRequests })],
  ['webhooks', 4, (random) => ({ policy: webhookPolicy(random), requests: podRequests })],
  [
    'controllers',
    10,
    (random) => ({ policy: controllerPolicy(random), requests: controllerRequests }),
  ],
  ['context', 6, (random) => ({ ...contextCase(random), requests: podRequests })],
];

/** The cases of the grid: so many, the same for one seed. */
export function gridCases(count: number, seed: number, area?: string): readonly GridCase[] {
  const random = new Random(seed);
  const wanted = areas.filter(([name]) => area === undefined || name === area);
  const turns = wanted.flatMap((each) => Array.from({ length: each[1] }, () => each));
  return Array.from({ length: count }, (_, at) => {
    const [name, , make] = random.pick(turns);
    return { id: `${name}-${seed}-${at}`, ...make(random) };
  });
}
