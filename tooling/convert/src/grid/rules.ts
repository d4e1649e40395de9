import type { JsonObject } from '@kubeadmit/apimachinery';
import { controllerRequests, type GridRequest, mapRequests, podRequests } from './objects.ts';

/** A policy of the grid, what it depends on, and the requests that it is compared on. */
export interface GridCase {
  readonly id: string;
  readonly policy: JsonObject;
  readonly related?: readonly JsonObject[];
  readonly requests: readonly GridRequest[];
}

/** Picks the same items for one seed in every run. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
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

function keyOf(dice: Dice, root: string, names: readonly string[]): string {
  return `{{ ${root}.${dice.pick(names)}${dice.pick(defaults)} }}`;
}

function condition(dice: Dice, root: string, names: readonly string[]): JsonObject {
  const key = keyOf(dice, root, names);
  if (dice.chance(12)) {
    return { key: dice.pick(values), operator: dice.pick(operators), value: key };
  }
  if (dice.chance(5)) {
    const value = keyOf(dice, root, names);
    return { key, operator: dice.pick(operators), value };
  }
  return { key, operator: dice.pick(operators), value: dice.pick(values) };
}

function denyRule(dice: Dice): JsonObject {
  const own = condition(dice, 'request.object', fields);
  const conditions = dice.chance(20) ? [own, condition(dice, 'request.object', fields)] : [own];
  const preconditions = dice.chance(10)
    ? { preconditions: { all: [condition(dice, 'request.object', fields)] } }
    : {};
  return {
    name: 'deny',
    match: dice.chance(15) ? matchAllPods : matchPods,
    ...preconditions,
    validate: { message: 'm', deny: { conditions: { [dice.pick(['any', 'all'])]: conditions } } },
  };
}

function loopRule(dice: Dice): JsonObject {
  const lists = ['containers', 'initContainers', '[containers, initContainers][]'];
  const list = `request.object.spec.${dice.pick(lists)}`;
  const own = condition(dice, 'element', elementFields);
  const preconditions = dice.chance(20)
    ? {
        preconditions: { [dice.pick(['any', 'all'])]: [condition(dice, 'element', elementFields)] },
      }
    : {};
  const test = dice.chance(70)
    ? { deny: { conditions: { [dice.pick(['any', 'all'])]: [own] } } }
    : { pattern: elementPattern(dice) };
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

function anchored(dice: Dice, key: string, weight = 40): string {
  if (!dice.chance(weight)) return key;
  return dice.pick([`(${key})`, `=(${key})`, `X(${key})`, `<(${key})`, `^(${key})`]);
}

function elementPattern(dice: Dice): JsonObject {
  const made: Record<string, unknown> = {};
  const count = 1 + dice.below(3);
  for (let at = 0; at < count; at++) {
    const key = dice.pick([
      'name',
      'image',
      'securityContext',
      'resources',
      'ports',
      'imagePullPolicy',
    ]);
    switch (key) {
      case 'securityContext':
        made[anchored(dice, key)] = { [anchored(dice, 'privileged')]: dice.pick(scalars) };
        break;
      case 'resources':
        made[anchored(dice, key)] = {
          [anchored(dice, 'limits')]: { [anchored(dice, 'cpu')]: dice.pick(scalars) },
        };
        break;
      case 'ports':
        made[anchored(dice, key)] = [
          { [anchored(dice, dice.pick(['hostPort', 'containerPort']))]: dice.pick(scalars) },
        ];
        break;
      default:
        made[anchored(dice, key)] = dice.pick(scalars);
    }
  }
  return made;
}

function podPattern(dice: Dice): JsonObject {
  const spec: Record<string, unknown> = {};
  const count = 1 + dice.below(2);
  for (let at = 0; at < count; at++) {
    const key = dice.pick([
      ...['hostNetwork', 'priority', 'securityContext', 'containers', 'containers', 'volumes'],
      ...['nodeSelector', 'initContainers', 'tolerations', 'serviceAccountName'],
    ]);
    switch (key) {
      case 'securityContext':
        spec[anchored(dice, key)] = {
          [anchored(dice, dice.pick(['runAsUser', 'runAsNonRoot']))]: dice.pick(scalars),
        };
        break;
      case 'containers':
      case 'initContainers':
        spec[anchored(dice, key)] = [elementPattern(dice)];
        break;
      case 'volumes':
        spec[anchored(dice, key)] = [
          { [anchored(dice, dice.pick(['name', 'hostPath']))]: dice.pick(['a', '*', 'x*']) },
        ];
        break;
      case 'tolerations':
        spec[anchored(dice, key)] = [{ [anchored(dice, 'key')]: dice.pick(scalars) }];
        break;
      case 'nodeSelector':
        spec[anchored(dice, key)] = { [anchored(dice, 'disk')]: dice.pick(scalars) };
        break;
      default:
        spec[anchored(dice, key)] = dice.pick(scalars);
    }
  }
  const metadata = dice.chance(30)
    ? {
        metadata: {
          [anchored(dice, dice.pick(['labels', 'annotations']))]: {
            [anchored(dice, dice.pick(['team', 'k', 'n', 'x']))]: dice.pick(scalars),
          },
        },
      }
    : {};
  return { ...metadata, [anchored(dice, 'spec', 10)]: spec };
}

function patternRule(dice: Dice): JsonObject {
  const validate = dice.chance(80)
    ? { pattern: podPattern(dice) }
    : { anyPattern: [podPattern(dice), podPattern(dice)] };
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

function patchAnchor(dice: Dice, key: string): string {
  return dice.chance(45) ? dice.pick([`+(${key})`, `+(${key})`, `(${key})`, `<(${key})`]) : key;
}

function patchElement(dice: Dice): JsonObject {
  const made: Record<string, unknown> = {};
  const name = dice.pick(['(name)', 'name', '(image)', '<(image)', undefined]);
  if (name !== undefined) made[name] = dice.pick(['*', 'c', 'a', '?*', 'proxy.example/*', '!c']);
  const count = 1 + dice.below(2);
  for (let at = 0; at < count; at++) {
    const key = dice.pick(['imagePullPolicy', 'securityContext', 'resources', 'env']);
    switch (key) {
      case 'securityContext':
        made[patchAnchor(dice, key)] = {
          [patchAnchor(dice, 'privileged')]: dice.pick([true, false]),
          ...(dice.chance(30) ? { [patchAnchor(dice, 'readOnlyRootFilesystem')]: true } : {}),
        };
        break;
      case 'resources':
        made[dice.chance(50) ? key : `+(${key})`] = {
          [dice.chance(50) ? 'limits' : '+(limits)']: {
            [patchAnchor(dice, 'cpu')]: dice.pick(['1', '500m']),
          },
        };
        break;
      case 'env':
        made[key] = [{ name: dice.pick(['A', 'B']), value: dice.pick(patchScalars) }];
        break;
      default:
        made[patchAnchor(dice, key)] = dice.pick(['Always', 'IfNotPresent']);
    }
  }
  return made;
}

function podPatch(dice: Dice): JsonObject {
  const made: Record<string, unknown> = {};
  if (dice.chance(60)) {
    const spec: Record<string, unknown> = {};
    const count = 1 + dice.below(2);
    for (let at = 0; at < count; at++) {
      const key = dice.pick([
        ...['containers', 'containers', 'initContainers', 'hostNetwork', 'securityContext'],
        ...['imagePullSecrets', 'volumes', 'tolerations', 'nodeSelector', 'priority'],
      ]);
      switch (key) {
        case 'containers':
        case 'initContainers':
          spec[dice.chance(85) ? key : dice.pick([`+(${key})`, `(${key})`])] = [patchElement(dice)];
          break;
        case 'securityContext':
          spec[patchAnchor(dice, key)] = {
            [patchAnchor(dice, dice.pick(['runAsUser', 'runAsNonRoot']))]: dice.pick([
              true,
              0,
              1000,
              '>0',
            ]),
          };
          break;
        case 'imagePullSecrets':
          spec[dice.chance(70) ? key : `+(${key})`] = [{ name: dice.pick(['a', 'z']) }];
          break;
        case 'volumes':
          spec[dice.chance(70) ? key : `+(${key})`] = [
            { name: dice.pick(['a', 'z']), emptyDir: {} },
          ];
          break;
        case 'tolerations':
          spec[dice.chance(70) ? key : `+(${key})`] = [{ key: 'z', operator: 'Exists' }];
          break;
        case 'nodeSelector':
          spec[patchAnchor(dice, key)] = {
            [patchAnchor(dice, 'disk')]: dice.pick(['hdd', 'ssd', '?*']),
          };
          break;
        default:
          spec[patchAnchor(dice, key)] = dice.pick([true, false, 5]);
      }
    }
    made['spec'] = spec;
  }
  if (made['spec'] === undefined || dice.chance(40)) {
    made['metadata'] = {
      [dice.chance(80)
        ? dice.pick(['labels', 'annotations'])
        : dice.pick(['+(labels)', '(labels)'])]: dice.chance(8)
        ? '{{ request.object.metadata.labels }}'
        : { [patchAnchor(dice, dice.pick(['team', 'new', 'k']))]: dice.pick(patchScalars) },
    };
  }
  return made;
}

function jsonPatch(dice: Dice): string {
  const operations = Array.from({ length: 1 + dice.below(2) }, () => {
    const path = dice.pick([
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
                    : dice.pick(['z', '{{ request.object.metadata.name }}']);
    const op = dice.pick(['add', 'add', 'add', 'replace', 'remove', 'test']);
    return op === 'remove' ? { op, path } : { op, path, value };
  });
  return JSON.stringify(operations);
}

function mutateRule(dice: Dice): JsonObject {
  const loop = {
    list: `request.object.spec.${dice.pick(['containers', 'initContainers', 'volumes'])}`,
    ...(dice.chance(40)
      ? {
          preconditions: {
            all: [condition(dice, 'element', ['name', 'image', 'imagePullPolicy'])],
          },
        }
      : {}),
    ...(dice.chance(70)
      ? {
          patchStrategicMerge: {
            spec: {
              containers: [
                {
                  [dice.pick(['name', '(name)'])]: '{{ element.name }}',
                  [patchAnchor(dice, 'imagePullPolicy')]: 'Always',
                },
              ],
            },
          },
        }
      : {
          patchesJson6902: `[{"op":"add","path":"/spec/containers/{{elementIndex}}/${dice.pick(['imagePullPolicy', 'workingDir'])}","value":"Always"}]`,
        }),
  };
  const mutate = dice.chance(70)
    ? { patchStrategicMerge: podPatch(dice) }
    : dice.chance(60)
      ? { patchesJson6902: jsonPatch(dice) }
      : { foreach: [loop] };
  const preconditions = dice.chance(20)
    ? { preconditions: { all: [condition(dice, 'request.object', fields)] } }
    : {};
  return {
    name: 'mutate',
    match: { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] },
    ...preconditions,
    mutate,
  };
}

function severalRules(dice: Dice): JsonObject {
  const label = (): string => dice.pick(['team', 'a', 'x', 'new']);
  const rules = Array.from({ length: 2 + dice.below(2) }, (_, at) => {
    const selector = dice.chance(40)
      ? { selector: { matchLabels: { [label()]: dice.pick(['a', '?*', 'b', 'y']) } } }
      : {};
    const match = { any: [{ resources: { ...matchMaps.any[0]?.resources, ...selector } }] };
    const name = `r${at}`;
    const key = dice.chance(50) ? label() : `+(${label()})`;
    if (dice.chance(55)) {
      const value = dice.pick([
        'y',
        'b',
        '{{ request.object.metadata.labels.team }}',
        "{{ request.object.metadata.labels.a || 'none' }}",
      ]);
      const field = dice.pick(['labels', 'labels', 'annotations']);
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
        pattern: { metadata: { labels: { [label()]: dice.pick(['?*', 'y', 'a|b']) } } },
      },
    };
  });
  return policyOf(rules, dice.chance(40) ? { applyRules: 'One' } : {});
}

function selectedRule(dice: Dice): { policy: JsonObject; related: readonly JsonObject[] } {
  const filter = (): JsonObject => {
    const own: Record<string, unknown> = {};
    if (dice.chance(60)) {
      own['namespaceSelector'] = dice.pick([
        { matchLabels: { type: 'tenant' } },
        { matchExpressions: [{ key: 'type', operator: 'NotIn', values: ['tenant'] }] },
        { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
        { matchLabels: { type: 't*' } },
      ]);
    }
    if (dice.chance(40)) {
      own['selector'] = dice.pick([
        { matchLabels: { task: 'one' } },
        { matchExpressions: [{ key: 'task', operator: 'Exists' }] },
        { matchLabels: { team: '*' } },
      ]);
    }
    if (dice.chance(30)) own['namespaces'] = [dice.pick(['shop', 'pro*'])];
    if (dice.chance(30)) own['names'] = [dice.pick(['full', 'b*'])];
    if (dice.chance(35))
      own['operations'] = dice.pick([
        ['CREATE'],
        ['UPDATE'],
        ['UPDATE', 'DELETE'],
        ['CREATE', 'UPDATE'],
      ]);
    if (dice.chance(25)) own['annotations'] = { k: dice.pick(['v', '*', '10*']) };
    return own;
  };
  const isMutation = dice.chance(45);
  const match = {
    [dice.pick(['any', 'all'])]: Array.from({ length: 1 + dice.below(2) }, () => ({
      resources: {
        kinds: ['Pod'],
        ...(isMutation ? { operations: ['CREATE', 'UPDATE'] } : {}),
        ...filter(),
      },
      ...(dice.chance(10) ? { subjects: [{ kind: 'User', name: 'admin' }] } : {}),
    })),
  };
  const exclude = dice.chance(50)
    ? {
        exclude: {
          [dice.pick(['any', 'all'])]: Array.from({ length: 1 + dice.below(2) }, () => ({
            resources: filter(),
          })),
        },
      }
    : {};
  const action = isMutation
    ? { mutate: { patchStrategicMerge: { metadata: { annotations: { new: 'b' } } } } }
    : { validate: { message: 'm', deny: {} } };
  const related = dice.chance(15)
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

function webhookPolicy(dice: Dice): JsonObject {
  const webhookConfiguration = {
    ...(dice.chance(60) ? { failurePolicy: dice.pick(['Fail', 'Ignore']) } : {}),
    ...(dice.chance(60)
      ? {
          matchConditions: [
            {
              name: 'c',
              expression: dice.pick([
                "request.userInfo.username != 'admin'",
                "object.metadata.name != 'full'",
                'has(object.metadata.labels)',
              ]),
            },
          ],
        }
      : {}),
  };
  return policyOf([dice.chance(60) ? denyRule(dice) : mutateRule(dice)], {
    webhookConfiguration,
    ...(dice.chance(30) ? { emitWarning: true } : {}),
    ...(dice.chance(30) ? { failurePolicy: 'Ignore' } : {}),
    ...(dice.chance(30) ? { validationFailureAction: 'Audit' } : {}),
  });
}

// Kyverno makes rules for the controllers of pods of these.
function controllerPolicy(dice: Dice): JsonObject {
  const rule = dice.pick([denyRule, loopRule, patternRule, mutateRule])(dice);
  return { ...policyOf([rule]), metadata: { name: 'grid' } };
}

function contextCase(dice: Dice): { policy: JsonObject; related: readonly JsonObject[] } {
  const isMap = dice.chance(40);
  const field = dice.pick(fields);
  const entry = isMap
    ? { name: 'v', configMap: { name: 'settings', namespace: 'shop' } }
    : {
        name: 'v',
        variable: {
          jmesPath: `request.object.${field}`,
          ...(dice.chance(70)
            ? { default: dice.pick(['', 'a', 0, 5, true, false, [], {}, ['a']]) }
            : {}),
        },
      };
  const shown = isMap
    ? 'v.data.teams'
    : dice.pick(['v', 'v', "v || ''", 'length(v)', 'to_string(v)']);
  const own = {
    key: isMap ? "{{ request.object.metadata.labels.team || '' }}" : `{{ ${shown} }}`,
    operator: dice.pick(operators),
    value: isMap ? `{{ ${shown} }}` : dice.pick(values),
  };
  const rule = {
    name: 'context',
    match: matchPods,
    context: [entry],
    validate: { message: 'm', deny: { conditions: { any: [own] } } },
  };
  const related =
    isMap && dice.chance(70)
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'settings', namespace: 'shop' },
            data: { teams: dice.pick(['a', '["a","b"]', '*', '']) },
          },
        ]
      : [];
  return { policy: policyOf([rule]), related };
}

const areas: readonly (readonly [
  string,
  number,
  (dice: Dice) => Pick<GridCase, 'policy' | 'related' | 'requests'>,
])[] = [
  ['defaults', 30, (dice) => ({ policy: policyOf([denyRule(dice)]), requests: podRequests })],
  ['loops', 12, (dice) => ({ policy: policyOf([loopRule(dice)]), requests: podRequests })],
  ['patterns', 16, (dice) => ({ policy: policyOf([patternRule(dice)]), requests: podRequests })],
  ['mutations', 16, (dice) => ({ policy: policyOf([mutateRule(dice)]), requests: podRequests })],
  ['several', 8, (dice) => ({ policy: severalRules(dice), requests: mapRequests })],
  ['selectors', 8, (dice) => ({ ...selectedRule(dice), requests: podRequests })],
  ['webhooks', 4, (dice) => ({ policy: webhookPolicy(dice), requests: podRequests })],
  ['controllers', 10, (dice) => ({ policy: controllerPolicy(dice), requests: controllerRequests })],
  ['context', 6, (dice) => ({ ...contextCase(dice), requests: podRequests })],
];

/** The cases of the grid: so many, the same for one seed. */
export function gridCases(count: number, seed: number, area?: string): readonly GridCase[] {
  const dice = new Dice(seed);
  const wanted = areas.filter(([name]) => area === undefined || name === area);
  const turns = wanted.flatMap((each) => Array.from({ length: each[1] }, () => each));
  return Array.from({ length: count }, (_, at) => {
    const [name, , make] = dice.pick(turns);
    return { id: `${name}-${seed}-${at}`, ...make(dice) };
  });
}
