import type { Random } from '@kubeadmit/random';

type Json = Record<string, unknown>;

const keys = ['a', 'b', 'size', 'items', 'x-y', 'constructor', 'template', 'port', 'mode'] as const;
const values: readonly unknown[] = [
  '',
  'text',
  0,
  3,
  -1,
  2.5,
  true,
  false,
  null,
  [],
  {},
  [1],
  { a: 1 },
  [null],
  { a: null },
];

/** A CustomResourceDefinition with random schemas, and manifests of its kind. */
export function makeCustom(random: Random): unknown[] {
  const versions = ['v1', 'v1beta1'].slice(0, 1 + random.below(2));
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: random.pick(['Namespaced', 'Cluster']),
      names: { kind: 'Thing', plural: 'things' },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: root(random) },
      })),
    },
  };
  const objects = Array.from({ length: 1 + random.below(3) }, () => thing(random, definition));
  return [definition, ...objects];
}

function root(random: Random): Json {
  return {
    type: 'object',
    ...(random.chance(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    properties: {
      spec: schema(random, 0),
      status: schema(random, 2),
      ...(random.chance(0.2)
        ? { metadata: { type: 'object', properties: { name: { type: 'string' } } } }
        : {}),
    },
  };
}

function schema(random: Random, depth: number): Json {
  const kind = random.pick(
    depth > 3 ? scalars : [...scalars, 'object', 'object', 'object', 'map', 'array', 'array'],
  );
  const own = {
    ...(random.chance(0.15) ? { nullable: true } : {}),
    ...(random.chance(0.25) ? { default: random.pick(values) } : {}),
  };
  switch (kind) {
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 1 + random.below(4) }, () => [
            random.pick(keys),
            schema(random, depth + 1),
          ]),
        ),
        ...(random.chance(0.15) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
        ...(random.chance(0.12) ? { 'x-kubernetes-embedded-resource': true } : {}),
        ...(random.chance(0.5) ? own : {}),
      };
    case 'map':
      return {
        type: 'object',
        additionalProperties: random.chance(0.15) ? random.chance(0.5) : schema(random, depth + 1),
        ...own,
      };
    case 'array':
      return { type: 'array', items: schema(random, depth + 1), ...own };
    case 'int-or-string':
      return { 'x-kubernetes-int-or-string': true, ...own };
    case 'any':
      return { 'x-kubernetes-preserve-unknown-fields': true, ...own };
    default:
      return { type: kind, ...own };
  }
}

const scalars = ['string', 'integer', 'number', 'boolean', 'int-or-string', 'any'];

function thing(
  random: Random,
  definition: { spec: { versions: { name: string; schema: { openAPIV3Schema: Json } }[] } },
): Json {
  const version = random.pick(definition.spec.versions);
  const properties = version.schema.openAPIV3Schema['properties'] as Record<string, Json>;
  return {
    apiVersion: `example.com/${random.chance(0.05) ? 'v9' : version.name}`,
    kind: 'Thing',
    ...(random.chance(0.8) ? { metadata: metadata(random) } : {}),
    ...(random.chance(0.9) ? { spec: fitting(random, properties['spec'] as Json) } : {}),
    ...(random.chance(0.3) ? { status: fitting(random, properties['status'] as Json) } : {}),
    ...(random.chance(0.2) ? { extra: random.pick(values) } : {}),
  };
}

function metadata(random: Random): Json {
  return {
    name: 'x',
    ...(random.chance(0.3) ? { labels: { a: random.pick(['b', null, '']) } } : {}),
    ...(random.chance(0.2) ? { unknown: 1 } : {}),
    ...(random.chance(0.2)
      ? { creationTimestamp: random.pick([null, '2024-01-01T00:00:00+01:00']) }
      : {}),
    ...(random.chance(0.1) ? { annotations: random.pick([{}, null, { a: '1' }]) } : {}),
    ...(random.chance(0.02) ? { name: 5 } : {}),
  };
}

/** A value that mostly fits the schema. */
function fitting(random: Random, of: Json): unknown {
  if (random.chance(0.12)) return random.pick(values);
  const properties = of['properties'] as Record<string, Json> | undefined;
  const object: Json = {};
  if (of['x-kubernetes-embedded-resource'] === true && random.chance(0.9)) {
    object['apiVersion'] = 'v1';
    object['kind'] = random.chance(0.95) ? 'Pod' : 5;
    if (random.chance(0.7)) object['metadata'] = metadata(random);
  }
  if (random.chance(0.2)) object['unknown'] = random.pick(values);
  switch (of['type']) {
    case 'object':
      for (const [key, inner] of Object.entries(properties ?? {})) {
        if (random.chance(0.6)) object[key] = fitting(random, inner);
      }
      if (typeof of['additionalProperties'] === 'object') {
        object['k'] = fitting(random, of['additionalProperties'] as Json);
      }
      return object;
    case 'array':
      return Array.from({ length: random.below(3) }, () => fitting(random, of['items'] as Json));
    case 'string':
      return 'text';
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
      return random.below(9);
    default:
      return random.pick(values);
  }
}
