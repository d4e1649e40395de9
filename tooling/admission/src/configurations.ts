import { phrases, type Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { applyMutation, changing, mutatingPolicy, requestFor, tellingPolicy } from './parts.ts';
import { celLiteral, isField } from './places.ts';

/** The content of a field: one of several values, a map of them, a list, or fields. */
type Shape =
  | { readonly oneOf: readonly unknown[] }
  | { readonly mapOf: Shape }
  | { readonly listOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const oneOf = (...values: unknown[]): Shape => ({ oneOf: values });
const listOf = (shape: Shape): Shape => ({ listOf: shape });
const fields = (named: Readonly<Record<string, Shape>>): Shape => ({ fields: named });
const name = oneOf('a', 'b', 'c', 'a');
const text = oneOf('x', 'y', '');
const texts = listOf(text);
const labels: Shape = { mapOf: text };

// Names and ports come from few values, so that lists meet in their keys and have some twice.
const port = oneOf(80, 81, 443);
const protocol = oneOf('TCP', 'UDP', undefined);
const container = fields({
  name,
  image: text,
  args: texts,
  ports: listOf(fields({ containerPort: port, protocol, name: oneOf('p', 'q'), hostPort: port })),
  env: listOf(
    fields({
      name: oneOf('A', 'B'),
      value: text,
      valueFrom: fields({ fieldRef: fields({ fieldPath: oneOf('metadata.name') }) }),
    }),
  ),
  envFrom: listOf(fields({ prefix: text, secretRef: fields({ name, optional: oneOf(true) }) })),
  volumeMounts: listOf(fields({ mountPath: oneOf('/a', '/b'), name, readOnly: oneOf(true) })),
  volumeDevices: listOf(fields({ devicePath: oneOf('/a', '/b'), name })),
  resources: fields({
    limits: { mapOf: oneOf('1', '1Gi', '500m') },
    claims: listOf(fields({ name, request: text })),
  }),
  resizePolicy: listOf(
    fields({ resourceName: oneOf('cpu', 'memory'), restartPolicy: oneOf('NotRequired') }),
  ),
  securityContext: fields({
    runAsUser: oneOf(0, 1000),
    privileged: oneOf(true, false),
    capabilities: fields({ add: listOf(oneOf('A', 'B')), drop: listOf(oneOf('ALL')) }),
  }),
});

const podSpec = fields({
  containers: listOf(container),
  initContainers: listOf(container),
  tolerations: listOf(
    fields({ key: name, operator: oneOf('Exists', 'Equal'), effect: oneOf('NoSchedule') }),
  ),
  imagePullSecrets: listOf(fields({ name })),
  hostAliases: listOf(fields({ ip: oneOf('1.1.1.1', '2.2.2.2'), hostnames: texts })),
  topologySpreadConstraints: listOf(
    fields({
      topologyKey: oneOf('zone', 'host'),
      whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
      maxSkew: oneOf(1, 2),
    }),
  ),
  volumes: listOf(
    fields({
      name,
      emptyDir: fields({ sizeLimit: oneOf('1Gi') }),
      configMap: fields({ name, items: listOf(fields({ key: name, path: name })) }),
      projected: fields({
        sources: listOf(fields({ secret: fields({ name }), configMap: fields({ name }) })),
      }),
    }),
  ),
  nodeSelector: labels,
  securityContext: fields({
    fsGroup: oneOf(1, 2),
    sysctls: listOf(fields({ name, value: text })),
    supplementalGroups: listOf(oneOf(1, 2)),
  }),
  readinessGates: listOf(fields({ conditionType: name })),
  schedulingGates: listOf(fields({ name })),
  hostNetwork: oneOf(true, false),
  terminationGracePeriodSeconds: oneOf(0, 30),
});

const metadata = fields({
  labels,
  annotations: labels,
  finalizers: listOf(oneOf('ex.org/a', 'ex.org/b')),
  ownerReferences: listOf(
    fields({
      uid: oneOf('1', '2'),
      name,
      kind: name,
      apiVersion: oneOf('v1'),
      controller: oneOf(true),
    }),
  ),
});

const selector = fields({
  matchLabels: labels,
  matchExpressions: listOf(fields({ key: name, operator: oneOf('In', 'Exists'), values: texts })),
});

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly shape: Shape & { readonly fields: Readonly<Record<string, Shape>> };
}

const kindOf = (group: string, kind: string, shapes: Readonly<Record<string, Shape>>): Kind => ({
  group,
  kind,
  resource: kind === 'NetworkPolicy' ? 'networkpolicies' : `${kind.toLowerCase()}s`,
  shape: { fields: { metadata, ...shapes } },
});

const kinds: readonly Kind[] = [
  kindOf('', 'Pod', { spec: podSpec }),
  kindOf('', 'Pod', { spec: podSpec }),
  kindOf('apps', 'Deployment', {
    spec: fields({
      replicas: oneOf(1, 2, 0),
      selector,
      template: fields({ metadata, spec: podSpec }),
      strategy: fields({
        type: oneOf('Recreate', 'RollingUpdate'),
        rollingUpdate: fields({ maxSurge: oneOf(1, '25%') }),
      }),
    }),
  }),
  kindOf('', 'Service', {
    spec: fields({
      ports: listOf(
        fields({
          port,
          protocol,
          name: oneOf('p', 'q'),
          targetPort: oneOf(80, 'http'),
          nodePort: port,
        }),
      ),
      selector: labels,
      externalIPs: texts,
      ipFamilies: listOf(oneOf('IPv4', 'IPv6')),
      sessionAffinityConfig: fields({ clientIP: fields({ timeoutSeconds: oneOf(1, 2) }) }),
    }),
  }),
  kindOf('', 'ConfigMap', {
    data: labels,
    binaryData: { mapOf: oneOf('YQ==') },
    immutable: oneOf(true),
  }),
  kindOf('networking.k8s.io', 'NetworkPolicy', {
    spec: fields({
      podSelector: selector,
      policyTypes: listOf(oneOf('Ingress', 'Egress')),
      ingress: listOf(
        fields({
          ports: listOf(fields({ port: oneOf(80, 'http'), protocol })),
          from: listOf(
            fields({ podSelector: selector, ipBlock: fields({ cidr: text, except: texts }) }),
          ),
        }),
      ),
    }),
  }),
];

/** Apply configurations of lists of every kind, with elements twice, without keys, null, or of wrong types. */
export function configurationCase(random: Random): JsonObject {
  const about = random.pick(kinds);
  const { group, kind, resource, shape } = about;
  const made = (): JsonObject => {
    const { metadata: about, ...rest } = valueOf(random, shape, 3) as JsonObject;
    return {
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
      kind,
      ...rest,
      metadata: { ...(about as JsonObject), name: 'web', namespace: 'default' },
    };
  };
  const mistakes = random.pick([0, 0, 0.01, 0.03, 0.1]);
  const mutation = (): JsonObject =>
    applyMutation(configuration(random, { type: 'Object', shape, mistakes }));
  const operation = random.pick(['CREATE', 'UPDATE']);
  const policy = (each: string): JsonObject[] =>
    mutatingPolicy(each, {
      matchConstraints: changing,
      ...random.some({
        matchConditions: [0.2, () => [{ name: 'c', expression: 'object != null' }]],
      }),
      mutations: random.list(1, 2, mutation),
      reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    });
  return {
    resources: [
      ...random.list(1, 2, (index) => policy(`m${index}`)).flat(),
      ...(random.chance(0.15) ? tellingPolicy('v', "'%s'.format([object])") : []),
    ],
    request: requestFor(
      { group, kind, resource },
      {
        operation,
        object: made(),
        ...(operation === 'UPDATE' ? { oldObject: made() } : {}),
      },
    ),
  };
}

const keyNames = /^(name|containerPort|port|uid|ip|mountPath|devicePath|topologyKey)$/;
const mapKeys = ['a', 'b', 'x/y', 'cpu', 'memory'];

function valueOf(random: Random, shape: Shape, most: number): unknown {
  if ('oneOf' in shape) return random.pick(shape.oneOf);
  if ('listOf' in shape) return random.list(0, most, () => valueOf(random, shape.listOf, 2));
  if ('mapOf' in shape) {
    const keys = random.list(0, 2, () => random.pick(mapKeys));
    return Object.fromEntries(keys.map((key) => [key, valueOf(random, shape.mapOf, 2)]));
  }
  const made: JsonObject = {};
  for (const [key, inner] of Object.entries(shape.fields)) {
    if (random.chance(keyNames.test(key) ? 0.9 : key === 'spec' ? 1 : 0.3)) {
      made[key] = valueOf(random, inner, 3);
    }
  }
  return made;
}

interface Wanted {
  /** The type of the written value. */
  readonly type: string;
  readonly shape: Shape;
  /** How likely each place is wrong. */
  readonly mistakes: number;
}

const strangers = phrases`
  null  dyn(null)  1  1.5  's'  true  []  {}  {'k': 'v'}  ['s']  [[1]]  [null]  optional.none()
  optional.of('s')  3u  b'a'  duration('1s')  object  object.metadata  object.metadata.labels
  Object{}  Object.spec{}  Object.spec.x{y: 1}  [Object.spec{}]  quantity('1Gi')
  timestamp('2024-01-01T00:00:00Z')  1 / 0  object.x  [object.metadata]  [1, 2] + [3]  {'a': null}
  {1: 'a'}  type(1)  string(1)  -1
`;

/**
 * Returns a value that does not fit a field.
 *
 * It can also be read back from a field of an object expression: with a known type, through `dyn`, `.?` or loops.
 */
function stranger(random: Random): string {
  const value = random.pick(strangers);
  if (random.chance(0.8)) return value;
  const fields = random.pick([
    `a: ${value}`,
    `b: 1, a: ${value}`,
    `?a: optional.of(${value})`,
    `a: Object.spec.a{b: ${value}}`,
  ]);
  const part = `Object.spec{${fields}}`;
  return random.pick([
    `${part}.a`,
    `${part}.a.b`,
    `dyn(${part}).a`,
    `dyn(${part}.a).b`,
    `${part}.?a`,
    `${part}.?a.orValue('n')`,
    `string(has(${part}.a))`,
    `string(has(dyn(${part}).a))`,
    `string(has(${part}.a.b))`,
    `[${part}].map(p, p.a)`,
    `[dyn(${part})].map(p, p.a)`,
    `{'k': ${part}}.k.a`,
    `(true ? ${part} : Object.spec{}).a`,
    `string(type(${part}.a) == map)`,
    `string(${part}.a == ${value})`,
    `optional.of(${part}).a`,
    `optional.of(${part}).value().a`,
    `Object{spec: ${part}}.spec`,
    `Object{spec: ${part}}.spec.a`,
    `JSONPatch{op: 'add', path: '/a', value: ${value}}.value`,
  ]);
}

function configuration(random: Random, { type, shape, mistakes }: Wanted): string {
  if (random.chance(mistakes)) return stranger(random);
  if ('oneOf' in shape) {
    const value = random.pick(shape.oneOf);
    return value === undefined ? "'SCTP'" : celLiteral(value);
  }
  if ('listOf' in shape) return listed(random, { type, shape: shape.listOf, mistakes });
  if ('mapOf' in shape) {
    const keys = [...new Set(random.list(0, 2, () => random.pick(mapKeys)))];
    const inner = keys.map((key) => {
      const value = configuration(random, { type, shape: shape.mapOf, mistakes });
      return random.chance(mistakes)
        ? `?'${key}': ${random.pick(['optional.none()', `optional.of(dyn(${value}))`])}`
        : `'${key}': dyn(${value})`;
    });
    return `{${inner.join(', ')}}`;
  }
  return structured(random, { type, shape, mistakes }, shape.fields);
}

function structured(
  random: Random,
  { type, mistakes }: Wanted,
  named: Readonly<Record<string, Shape>>,
): string {
  const isMap = random.chance(mistakes) || !Object.keys(named).every(isField);
  const share = random.pick([0.15, 0.3, 0.5]);
  const chosen = Object.entries(named).filter(([key]) =>
    random.chance(keyNames.test(key) ? 1 - mistakes : key === 'spec' ? 0.95 : share),
  );
  const inner = chosen.map(([key, shape]) => {
    const value = configuration(random, { type: `${type}.${key}`, shape, mistakes });
    if (isMap) return `'${key}': dyn(${value})`;
    if (random.chance(mistakes)) {
      return `?${key}: ${random.pick(['optional.none()', `optional.of(${value})`])}`;
    }
    return `${key}: ${value}`;
  });
  if (random.chance(mistakes)) inner.push(isMap ? "'odd': dyn(1)" : 'odd: 1');
  if (random.chance(mistakes / 2) && inner[0] !== undefined) inner.push(inner[0]);
  const own = random.chance(mistakes / 2) ? `${type}x` : type;
  return isMap ? `{${inner.join(', ')}}` : `${own}{${inner.join(', ')}}`;
}

function listed(random: Random, { type, shape, mistakes }: Wanted): string {
  const items = random.list(0, 3, () => configuration(random, { type, shape, mistakes }));
  // Elements of several types are allowed where all of them are dyn.
  const isDyn = random.chance(mistakes > 0 ? 0.9 : 0.2);
  const text = (some: readonly string[]): string =>
    `[${some.map((item) => (isDyn ? `dyn(${item})` : item)).join(', ')}]`;
  const first = items.slice(0, 1);
  return random.pick([
    () => text(items),
    () => text(items),
    () => text(items),
    () => text([...items, ...first]),
    () => `${text(first)} + ${text(items)}`,
    () => `${text(items)}.filter(e, ${random.pick(['true', 'false'])})`,
    () => `[1, 2].map(i, ${items[0] ?? "'a'"})`,
    () => `[?${random.pick(['optional.none()', `optional.of(${items[0] ?? "'a'"})`])}]`,
  ])();
}
