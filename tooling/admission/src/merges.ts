import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  everything,
  mutatingPolicy,
  patchMutation,
  requestFor,
  tellingPolicy,
  thingDefinition,
  things,
} from './parts.ts';
import { celLiteral, isField, placesOf, pointer } from './places.ts';

/** A schema as definitions have it. */
type Schema = JsonObject;

const names = ['a', 'b', 'name', 'port', 'x-y', 'namespace', 'in', 'A', 'constructor'];

/** Returns a case with a custom resource that is merged with apply configurations and patched. */
export function mergeCase(random: Random): JsonObject {
  const spec = objectSchema(random, 3);
  const definition = thingDefinition(spec, { subresources: { status: {} } });
  const mistakes = random.pick([0, 0, 0.03, 0.1]);
  const made = (): JsonObject => ({
    apiVersion: 'ex.org/v1',
    kind: 'Thing',
    metadata: { name: 'web' },
    spec: value(random, spec, mistakes),
  });
  const operation = random.pick(['CREATE', 'UPDATE']);
  const object = made();
  const wanted = (): unknown => value(random, spec, mistakes);
  const mutation = (): JsonObject =>
    random.chance(0.75)
      ? applyMutation(`Object{spec: ${configuration(random, 'Object.spec', wanted())}}`)
      : patchMutation(operations(random, object, { spec: wanted() }));
  const matchConstraints = {
    resourceRules: [
      {
        apiGroups: ['ex.org'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['*'],
      },
    ],
  };
  return {
    resources: [
      definition,
      ...mutatingPolicy('m', {
        matchConstraints,
        mutations: random.list(1, 2, mutation),
        reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
        ...random.some({ failurePolicy: [0.2, () => 'Ignore'] }),
      }),
      ...(random.chance(0.2)
        ? tellingPolicy('v', "'%s'.format([object.spec])", { matchConstraints: everything })
        : []),
    ],
    request: requestFor(things, {
      operation,
      object,
      ...(operation === 'UPDATE' ? { oldObject: made() } : {}),
    }),
  };
}

function schema(random: Random, depth: number): Schema {
  const made = random.chance(depth <= 0 ? 1 : 0.35) ? scalar(random) : composite(random, depth);
  if (random.chance(0.15)) made['nullable'] = true;
  return made;
}

function scalar(random: Random): Schema {
  return random.pick<() => Schema>([
    () => ({ type: 'string', ...random.some({ default: [0.2, () => random.pick(['a', ''])] }) }),
    () => ({ type: 'string', ...random.some({ default: [0.2, () => 'b'] }) }),
    () => ({ type: 'integer', ...random.some({ default: [0.2, () => random.pick([0, 7])] }) }),
    () => ({ type: 'number', ...random.some({ default: [0.2, () => random.pick([1.5, 2])] }) }),
    () => ({ type: 'boolean', ...random.some({ default: [0.2, () => true] }) }),
    () => ({ 'x-kubernetes-int-or-string': true }),
    () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
    () => ({ type: 'string', format: random.pick(['date-time', 'byte', 'duration', 'odd']) }),
  ])();
}

function composite(random: Random, depth: number): Schema {
  const kind = random.pick([...['atomic', 'granular'], undefined, undefined, undefined]);
  const mapType = kind === undefined ? {} : { 'x-kubernetes-map-type': kind };
  const inner = (): Schema => schema(random, depth - 1);
  return random.pick<() => Schema>([
    () => ({ ...objectSchema(random, depth), ...mapType }),
    () => ({ type: 'object', additionalProperties: inner(), ...mapType }),
    () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...mapType }),
    () => ({ type: 'object', ...mapType }),
    () => ({ type: 'array', items: inner() }),
    () => ({ type: 'array', items: inner(), 'x-kubernetes-list-type': 'atomic' }),
    () => setSchema(random),
    () => setSchema(random),
    () => keyedSchema(random, depth),
    () => keyedSchema(random, depth),
    () => keyedSchema(random, depth),
    () => ({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ])();
}

function objectSchema(random: Random, depth: number): Schema {
  const properties: JsonObject = {};
  for (const name of random.list(1, 4, () => random.pick(names)))
    properties[name] = schema(random, depth - 1);
  return {
    type: 'object',
    properties,
    ...random.some({
      default: [0.1, () => ({})],
      'x-kubernetes-preserve-unknown-fields': [0.08, () => true],
    }),
  };
}

function setSchema(random: Random): Schema {
  const items = random.pick<Schema>([
    ...[{ type: 'string' }, { type: 'integer' }, { type: 'number' }, { type: 'boolean' }],
    { type: 'string', nullable: true },
    { 'x-kubernetes-int-or-string': true },
    {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'string' } },
    },
    { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
  ]);
  return { type: 'array', items, 'x-kubernetes-list-type': 'set' };
}

function keyedSchema(random: Random, depth: number): Schema {
  const keys = random.pick([['name'], ['name', 'port'], ['port'], ['b', 'a']]);
  const properties: JsonObject = { x: schema(random, depth - 1), y: scalar(random) };
  const required: string[] = [];
  for (const key of keys) {
    const [type, byDefault] = random.pick<readonly [string, unknown]>([
      ['string', 'TCP'],
      ['integer', 80],
      ['boolean', false],
      ['string', ''],
    ]);
    const hasDefault = random.chance(0.4);
    properties[key] = { type, ...(hasDefault ? { default: byDefault } : {}) };
    if (!hasDefault) required.push(key);
  }
  return {
    type: 'array',
    items: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  };
}

const strangers = [null, 1, 'x', true, [], {}, [null], { a: null }, 1.5, [[1]], [{}]];

/** A value that a schema allows, but for mistakes. */
function value(random: Random, about: Schema, mistakes: number): unknown {
  if (random.chance(mistakes)) return random.pick(strangers);
  if (about['nullable'] === true && random.chance(0.25)) return null;
  const properties = about['properties'] as Record<string, Schema> | undefined;
  switch (about['type']) {
    case 'string':
      return about['format'] === undefined
        ? random.pick(['a', 'b', 'c', '', 'TCP'])
        : random.pick(['2024-01-01T00:00:00Z', 'YQ==', '1h', 'x']);
    case 'integer':
      return random.pick([0, 1, 80, 81, -1]);
    case 'number':
      return random.pick([0, 1, 1.5, 2]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return random.list(0, 3, () => value(random, about['items'] as Schema, mistakes));
    case 'object':
      if (properties !== undefined) return fields(random, about, properties, mistakes);
      return about['additionalProperties'] === undefined
        ? random.pick([
            {},
            { a: 1 },
            { a: { b: [1, 'x'] }, c: null },
            { apiVersion: 'v1', kind: 'P' },
          ])
        : entries(random, about['additionalProperties'] as Schema, mistakes);
    default:
      return about['x-kubernetes-int-or-string'] === true
        ? random.pick([1, '1', 'http', 0])
        : random.pick<unknown>([1, 'a', { a: { b: 1 } }, [1, { a: 2 }], null, [], {}]);
  }
}

function fields(
  random: Random,
  about: Schema,
  properties: Record<string, Schema>,
  mistakes: number,
): JsonObject {
  const required = (about['required'] ?? []) as string[];
  const made: JsonObject = {};
  for (const [name, inner] of Object.entries(properties)) {
    const chance = required.includes(name) ? 0.93 : inner['default'] === undefined ? 0.6 : 0.4;
    if (random.chance(chance)) made[name] = value(random, inner, mistakes);
  }
  if (random.chance(mistakes)) made['odd'] = random.pick(strangers);
  return made;
}

function entries(random: Random, inner: Schema, mistakes: number): JsonObject {
  const keys = random.list(0, 2, () => random.pick(['a', 'b', 'x/y', 'constructor']));
  return Object.fromEntries(keys.map((key) => [key, value(random, inner, mistakes)]));
}

// A value in the form of an apply configuration, with object types or maps.
function configuration(random: Random, type: string, wanted: unknown): string {
  if (wanted === null) return random.pick(['null', 'optional.none()', 'dyn(null)']);
  if (random.chance(0.02))
    return random.pick(['optional.none()', "optional.of('a')", '1u', "b'a'"]);
  if (Array.isArray(wanted)) {
    const items = wanted.map((item) => `dyn(${configuration(random, type, item)})`);
    if (random.chance(0.05)) return `[] + [${items.join(', ')}]`;
    return `[${items.join(', ')}]`;
  }
  if (typeof wanted !== 'object') return celLiteral(wanted);
  const isMap = !Object.keys(wanted).every(isField) || random.chance(0.1);
  const inner = Object.entries(wanted).map(([key, item]) => {
    const name = isField(key) ? `${type}.${key}` : type;
    const given = configuration(random, name, item);
    if (isMap) return `${celLiteral(key)}: dyn(${given})`;
    return random.chance(0.05) ? `?${key}: optional.of(${given})` : `${key}: ${given}`;
  });
  return isMap ? `{${inner.join(', ')}}` : `${type}{${inner.join(', ')}}`;
}

function operations(random: Random, object: JsonObject, other: JsonObject): string {
  const here = placesOf(object).filter(({ path }) => path[0] === 'spec');
  const there = placesOf(other).filter(({ path }) => path.length > 0);
  const odd = ['', '/', '/spec/', '/spec/nope/a', '/spec/-', '/spec/a/-1', '/spec/a/01', 'spec'];
  const somewhere = (): string => {
    if (random.chance(0.08)) return celLiteral(random.pick(odd));
    const { path } = random.pick(random.chance(0.6) ? here : there);
    if (random.chance(0.15))
      return celLiteral(`${pointer(path)}/${random.pick(['-', '0', '9', 'new', '~0', '~2'])}`);
    return celLiteral(pointer(path));
  };
  const one = (): string => {
    const op = random.pick(['add', 'add', 'replace', 'test', 'remove', 'copy', 'move']);
    const rest = op === 'copy' || op === 'move' ? `, from: ${somewhere()}` : '';
    const given =
      op === 'add' || op === 'replace' || op === 'test'
        ? `, value: ${celLiteral(random.pick(random.chance(0.5) ? here : there).value)}`
        : '';
    return `JSONPatch{op: '${op}', path: ${somewhere()}${rest}${given}}`;
  };
  return `[${random.list(1, 4, one).join(', ')}]`;
}
