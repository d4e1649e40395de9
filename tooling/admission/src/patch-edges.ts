import { phrases, type Random, words } from '@kubeadmit/random';
import { customSamples, definitions, type Sample, samples } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { changing, mutatingPolicy, patchMutation, requestAbout, tellingPolicy } from './parts.ts';
import { celLiteral, celPath, isField, type Place, placesOf, pointer } from './places.ts';

const kinds = new Set(['Pod', 'Deployment', 'ConfigMap', 'Service', 'Secret', 'NetworkPolicy']);
const subjects = [...samples.filter(({ object }) => kinds.has(object.kind)), ...customSamples];

const oddKeys = ['a/b', 'x~y', '~1', '~0', '', '/', 'é', '__proto__', 'constructor', '0', '-', ' '];

/** A request whose object several patches change in turn, each where JSON patches have their edges. */
export function patchEdgesCase(random: Random): JsonObject {
  const sample = random.pick(subjects);
  const operation = random.pick(['CREATE', 'UPDATE']);
  const object = edged(random, sample);
  const definition = definitions.get(sample.object.kind);
  const policies = random.list(1, 2, (index) => patchingPolicy(random, object, `m${index}`));
  return {
    resources: [
      ...(definition === undefined ? [] : [definition]),
      ...policies.flat(),
      ...(random.chance(0.2) ? tellingPolicy('v', "'%s'.format([object])") : []),
    ],
    request: requestAbout(
      { ...sample, kind: sample.object.kind },
      {
        operation,
        ...(sample.namespaced ? { namespace: 'default' } : {}),
        object,
        ...(operation === 'UPDATE' ? { oldObject: edged(random, sample) } : {}),
      },
    ),
  };
}

/** An object of a kind with odd keys, and with fields that are null or empty. */
function edged(random: Random, { object, namespaced }: Sample): JsonObject {
  const copy = structuredClone(object) as JsonObject;
  const annotations = Object.fromEntries(
    random.list(0, 3, () => [random.pick(oddKeys), random.pick(['', 'v', 'w'])]),
  );
  const metadata = { ...(copy['metadata'] as JsonObject), name: 'web' };
  copy['metadata'] = {
    ...metadata,
    ...(namespaced ? { namespace: 'default' } : {}),
    ...random.some({
      annotations: [0.7, () => annotations],
      labels: [0.5, () => random.pick([null, {}, { app: 'web' }])],
      finalizers: [0.3, () => random.pick([[], ['ex.org/a'], ['ex.org/a', 'ex.org/b']])],
    }),
  };
  if (random.chance(0.3)) {
    const places = placesOf(copy).filter(({ path }) => path.length > 1 && path[0] !== 'metadata');
    if (places.length > 0) replace(copy, random.pick(places).path, random.pick([null, {}, []]));
  }
  return copy;
}

function replace(root: JsonObject, path: Place['path'], value: unknown): void {
  let inner: unknown = root;
  for (const step of path.slice(0, -1)) inner = (inner as Record<string | number, unknown>)[step];
  (inner as Record<string | number, unknown>)[path.at(-1) ?? ''] = value;
}

function patchingPolicy(random: Random, object: JsonObject, name: string): JsonObject[] {
  const mutation = (): JsonObject => patchMutation(patchList(random, object));
  return mutatingPolicy(name, {
    matchConstraints: changing,
    variables: [
      { name: 'name', expression: 'object.metadata.name' },
      { name: 'part', expression: partOf(random, object) },
    ],
    mutations: random.list(1, 3, mutation),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    ...random.some({ failurePolicy: [0.2, () => 'Ignore'] }),
  });
}

function patchList(random: Random, object: JsonObject): string {
  const one = (): string => operation(random, object);
  const listed = (most: number): string => `[${random.list(1, most, one).join(', ')}]`;
  return random.pick([
    () => listed(5),
    () => listed(5),
    () => listed(5),
    () => related(random, object),
    () => related(random, object),
    () => `${listed(2)} + ${listed(2)}`,
    () => `[1, 2].map(i, ${one()})`,
    () => `[${one()}, ${one()}].filter(p, p.op != 'test')`,
    () => `[?optional.of(${one()}), ?optional.none()]`,
    () => random.pick(['[]', "[JSONPatch{op: 'test', path: '/nope'}]", 'dyn([1])', 'dyn(1)']),
  ])();
}

/** Operations each of which depends on the result of the previous one. */
function related(random: Random, object: JsonObject): string {
  const place = pointer(random.pick(inner(object)).path);
  const other = pointer(random.pick(inner(object)).path);
  const text = celLiteral(place);
  const below = celLiteral(`${place}/${random.pick(['x', '-', '0', '1', 'a~1b', ''])}`);
  const empty = random.pick(['{}', '[]', 'null', "'s'", '[null]', "{'x': null}", "{'': 1}"]);
  const value = valueOf(random, object);
  const forms: readonly string[][] = [
    [`op: 'add', path: ${text}, value: ${empty}`, `op: 'add', path: ${below}, value: ${value}`],
    [`op: 'replace', path: ${text}, value: ${empty}`, `op: 'test', path: ${text}, value: ${empty}`],
    [`op: 'add', path: ${text}, value: ${value}`, `op: 'test', path: ${text}, value: ${value}`],
    [`op: 'remove', path: ${text}`, `op: 'test', path: ${text}, value: null`],
    [`op: 'remove', path: ${text}`, `op: 'test', path: ${text}`],
    [`op: 'remove', path: ${text}`, `op: 'remove', path: ${text}`],
    [`op: 'remove', path: ${text}`, `op: 'add', path: ${text}, value: ${value}`],
    [`op: 'copy', from: ${text}, path: ${below}`, `op: 'test', path: ${text}, value: ${value}`],
    [`op: 'move', from: ${text}, path: ${below}`, `op: 'add', path: ${below}, value: ${value}`],
    [`op: 'move', from: ${below}, path: ${text}`, `op: 'remove', path: ${text}`],
    [`op: 'move', from: ${text}, path: ${text}`, `op: 'copy', from: ${text}, path: ${text}`],
    [
      `op: 'copy', from: ${text}, path: ${celLiteral(other)}`,
      `op: 'replace', path: ${celLiteral(other)}, value: ${value}`,
      `op: 'test', path: ${text}, value: ${partOf(random, object)}`,
    ],
    [
      `op: 'move', from: ${text}, path: ${celLiteral(other)}`,
      `op: 'move', from: ${celLiteral(other)}, path: ${text}`,
    ],
    [`op: 'add', path: '', value: object`, `op: 'replace', path: ${text}, value: ${value}`],
    [`op: 'add', path: '', value: ${value}`],
  ];
  const chosen = random.pick(forms);
  return `[${chosen.map((fields) => `JSONPatch{${fields}}`).join(', ')}]`;
}

function inner(object: JsonObject): readonly Place[] {
  return placesOf(object).filter(
    ({ path }) => path.length > 0 && path[0] !== 'kind' && path[0] !== 'apiVersion',
  );
}

const wholeOperations = ['add', 'add', 'replace', 'test', 'remove', 'copy', 'move'];
const oddOperations = ["'Add'", "''", "'merge'", "'add '", "'rem' + 'ove'", 'string(1)'];

function operation(random: Random, object: JsonObject): string {
  const op = random.pick(wholeOperations);
  const fields = [`op: ${random.chance(0.03) ? random.pick(oddOperations) : `'${op}'`}`];
  if (random.chance(0.98)) fields.push(`path: ${pathText(random, object)}`);
  const needsFrom = op === 'copy' || op === 'move';
  const needsValue = op === 'add' || op === 'replace' || op === 'test';
  if (random.chance(needsFrom ? 0.96 : 0.03)) fields.push(`from: ${pathText(random, object)}`);
  if (random.chance(needsValue ? 0.93 : 0.04)) {
    const value = valueOf(random, object);
    fields.push(random.chance(0.06) ? `?value: optional.of(${value})` : `value: ${value}`);
  }
  return `JSONPatch{${fields.join(', ')}}`;
}

const oddSteps = ['-', '0', '1', '9', '-1', '01', '+1', '1e0', '1.0', 'x', '', '~0', '~1', '~'];
const oddPaths = ['', ...words('/ // x /nope /nope/a /metadata/ /spec/- /~2 /é'), ' '];

/** A pointer, mostly to somewhere in the object or to where its lists and maps end. */
function pathText(random: Random, object: JsonObject): string {
  if (random.chance(0.06)) return celLiteral(random.pick(oddPaths));
  const { path } = random.pick(inner(object));
  const text = pointer(path);
  return random.pick([
    () => celLiteral(text),
    () => celLiteral(text),
    () => celLiteral(text),
    () => celLiteral(`${text}/${random.pick(oddSteps)}`),
    () => celLiteral(`${text}/${random.pick(oddSteps)}`),
    () => celLiteral(`${pointer(path.slice(0, -1))}/${random.pick(oddSteps)}`),
    () => celLiteral(`/metadata/annotations/${escaped(random.pick(oddKeys))}`),
    () => `'/metadata/annotations/' + jsonpatch.escapeKey(${celLiteral(random.pick(oddKeys))})`,
    () => `'/metadata/labels/' + jsonpatch.escapeKey(${random.pick(["'a/b'", 'variables.name'])})`,
    () => celLiteral(`${text}/${random.pick(oddSteps)}/${random.pick(oddSteps)}`),
    () => celLiteral(`${text}/`),
  ])();
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A value of each type that expressions have. */
const valuesOfTypes = phrases`
  null  true  0  -1  1.5  1.0  -0.0  1e100  3u  's'  ''  'é\n'  9223372036854775807
  -9223372036854775808  18446744073709551615u  9007199254740993  b'ab'  b'\xff'
  timestamp('2024-01-01T00:00:00.5Z')  duration('90m')  duration('-1.5s')  type(1)  int
  optional.none()  optional.of(1)  optional.of(optional.none())  [optional.none()]
  [optional.of(1)]  [type(1)]  {'a': optional.none()}  {?'a': optional.none()}  [?optional.none()]
  {'a': 1u}  {1: 'a'}  {true: 'a'}  {1u: 'a'}  {'a': {1: 2}}  [{1: 'a'}]  [[1, [2.0]]]
  quantity('1Gi')  [quantity('1Gi')]  semver('1.2.3')  url('https://a/b')  ip('10.0.0.1')
  cidr('10.0.0.0/8')  format.named('dns1123Label')  0.0 / 0.0  1.0 / 0.0  request
  request.userInfo  request.operation  request.kind  namespaceObject
  namespaceObject.metadata.name  oldObject  params  authorizer  authorizer.path('/x')
  authorizer.path('/x').check('get')  'a'.find('a')  Object{}  Object.spec{}
  Object.metadata{name: object.metadata.name}  Object.a{b: 1u}  Object.x{b: b'a'}
  Object.x{b: timestamp('2024-01-01T00:00:00Z')}  Object.x{b: type(1)}  Object.x{b: [1, 2.5]}
  Object.x{b: {'c': null}}  Object.x{b: Object.y{}}  [Object.x{}]
  JSONPatch{op: 'add', path: '/a'}  [JSONPatch{op: 'add', path: '/a'}]  [1] + [2.5]  ['a'] + [1]
  [] + []  [null] + [true]  [b'a'] + [1u]  [duration('1s')] + []
  [optional.none()] + [optional.of(1)]  [type(1)] + []  [{'a': 1}] + [{'b': [2]}]
  [Object.x{a: 1}] + []  [quantity('1')] + []  [timestamp('2024-01-01T00:00:00Z')] + []
  lists.range(3)  [3, 1, 2].sort()  [1, 2, 2].distinct()  [[1], [2]].flatten()  'a,b'.split(',')
  {'a': 1}.map(k, k)  [1, 2].map(i, i * 2)  object  variables.part  dyn(variables.part)
  [variables.part]  {'a': variables.part}  string(object)  1 / 0
`;

function valueOf(random: Random, object: JsonObject): string {
  return random.pick([
    () => random.pick(valuesOfTypes),
    () => random.pick(valuesOfTypes),
    () => celLiteral(random.pick(inner(object)).value),
    () => partOf(random, object),
    () => `${partOf(random, object)} + ${partOf(random, object)}`,
    () => `[${partOf(random, object)}, ${random.pick(valuesOfTypes)}]`,
    () => `[${partOf(random, object)}] + [${random.pick([partOf(random, object), "'x'", '1'])}]`,
    () => `{'k': ${partOf(random, object)}, 'l': ${random.pick(valuesOfTypes)}}`,
    () => `Object.x{y: ${partOf(random, object)}}`,
    () =>
      `${random.pick(['true', 'false'])} ? dyn(${random.pick(valuesOfTypes)}) : dyn(object.kind)`,
  ])();
}

function partOf(random: Random, object: JsonObject): string {
  const { path } = random.pick(inner(object));
  const isPlain = path.every((step) => typeof step === 'number' || isField(step));
  const root = random.chance(0.9) ? 'object' : 'oldObject';
  return isPlain && random.chance(0.1) && typeof path.at(-1) === 'string'
    ? `${celPath(root, path.slice(0, -1))}.?${path.at(-1)}`
    : celPath(root, path);
}
