import { type Json, type JsonObject, written } from '@kubeadmit/conformance-tools';
import { type Random, words } from '@kubeadmit/random';
import { spoil } from './mistakes.ts';
import { makeRules } from './rules.ts';

/** How definitions are made. */
export interface SchemaOptions {
  /** How often a schema has something that a definition must not have, from 0 to 1. */
  readonly mistakes: number;
  /** How often a schema has rules, from 0 to 1. */
  readonly rules: number;
  /** How often a limit that bounds costs is there, from 0 to 1. */
  readonly limits: number;
}

const names = words(
  'a b c name x-y x__y x__dot__y __in__ X a.b a/b namespace in constructor metadata kind 1a ä',
  '$x',
);

const formats = words(
  'date date-time datetime duration byte ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 email',
  'hostname uri isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor password bsonobjectid',
  'k8s-short-name k8s-long-name int32 quantity nonsense',
);

/** Makes structural schemas, some of them spoilt on purpose. */
export class SchemaMaker {
  readonly #random: Random;
  readonly #options: SchemaOptions;

  constructor(random: Random, options: SchemaOptions) {
    this.#random = random;
    this.#options = options;
  }

  /** The schema of a whole object. */
  root(): JsonObject {
    const random = this.#random;
    const schema: JsonObject = {
      type: 'object',
      properties: {
        spec: this.#object(3),
        ...(random.chance(0.2) ? { status: this.schema(1) } : {}),
        ...(random.chance(0.1) ? { metadata: this.#metadata() } : {}),
        ...(random.chance(0.05)
          ? { apiVersion: { type: 'string' }, kind: { type: 'string' } }
          : {}),
      },
      ...(random.chance(0.1) ? { required: ['spec'] } : {}),
      ...(random.chance(0.05) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    };
    return this.#finish(schema);
  }

  #metadata(): JsonObject {
    const random = this.#random;
    const name = random.chance(0.5) ? this.#string() : this.#finish(this.#string());
    const properties = random.chance(0.7) ? { name } : { name, generateName: this.#string() };
    const schema = { type: 'object', properties };
    return random.chance(0.5) ? schema : this.#finish(schema);
  }

  /** Any schema with at most so many levels inside. */
  schema(depth: number): JsonObject {
    return this.#finish(this.#bare(depth));
  }

  #bare(depth: number): JsonObject {
    const random = this.#random;
    const scalar = random.chance(depth <= 0 ? 1 : 0.45);
    if (scalar) {
      const makers = [
        () => this.#string(),
        () => this.#string(),
        () => this.#formatted(),
        () => this.#integer(),
        () => this.#number(),
        () => ({ type: 'boolean' }),
        () => this.#intOrString(),
        () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
      ];
      return random.pick(makers)();
    }
    const makers = [
      () => this.#object(depth),
      () => this.#object(depth),
      () => this.#list(depth),
      () => this.#list(depth),
      () => this.#set(depth),
      () => this.#keyedList(depth),
      () => this.#map(depth),
      () => this.#embedded(depth),
    ];
    return random.pick(makers)();
  }

  #finish(schema: JsonObject): JsonObject {
    const random = this.#random;
    const { mistakes, rules } = this.#options;
    if (random.chance(0.12)) schema['nullable'] = random.chance(0.9);
    if (schema['nullable'] === true && random.chance(0.1)) schema['default'] = null;
    if (random.chance(0.05)) schema['description'] = 'a <text>';
    if (random.chance(rules)) schema['x-kubernetes-validations'] = makeRules(random, schema);
    if (random.chance(0.08)) this.#branches(schema);
    if (random.chance(mistakes)) spoil(random, schema);
    return schema;
  }

  #some(chance: number, values: () => JsonObject): JsonObject {
    return this.#random.chance(chance) ? values() : {};
  }

  #limit(values: () => JsonObject): JsonObject {
    return this.#some(this.#options.limits, values);
  }

  #string(): JsonObject {
    const random = this.#random;
    return {
      type: 'string',
      ...this.#limit(() => ({ maxLength: random.pick([0, 3, 5, 20, 64, 1000, 100_000]) })),
      ...this.#some(0.1, () => ({ minLength: random.pick([0, 1, 2, 5]) })),
      ...this.#some(0.1, () => ({ pattern: random.pick(['^[a-c]+$', 'a', '^\\d{1,3}%?$', '']) })),
      ...this.#some(0.1, () => ({ enum: random.pick([['a', 'b'], ['abc'], ['a', 'ä', '']]) })),
      ...this.#some(0.1, () => ({ default: random.pick(['a', 'ab', '', 'abcdefg']) })),
    };
  }

  #formatted(): JsonObject {
    const random = this.#random;
    return {
      type: 'string',
      format: random.pick(random.chance(0.5) ? formats.slice(0, 5) : formats),
      ...this.#some(0.2, () => ({ maxLength: random.pick([3, 20, 64]) })),
    };
  }

  #integer(): JsonObject {
    const random = this.#random;
    return {
      type: 'integer',
      ...this.#some(0.15, () => ({ minimum: random.pick([0, 1, -5, written1, 1.5]) })),
      ...this.#some(0.15, () => ({ maximum: random.pick([3, 10, 2.5, 9007199254740993n]) })),
      ...this.#some(0.1, () => ({ exclusiveMinimum: true, exclusiveMaximum: random.chance(0.5) })),
      ...this.#some(0.1, () => ({ multipleOf: random.pick([2, 3, 0.5, 10]) })),
      ...this.#some(0.2, () => ({ format: random.pick(['int32', 'int64', 'float', 'odd']) })),
      ...this.#some(0.08, () => ({ enum: random.pick([[1, 2], [3], [1, null]]) })),
      ...this.#some(0.1, () => ({ default: random.pick([0, 1, 2, 5]) })),
    };
  }

  #number(): JsonObject {
    const random = this.#random;
    return {
      type: 'number',
      ...this.#some(0.15, () => ({ minimum: random.pick([0, 0.5, 1e-7, -1e21]) })),
      ...this.#some(0.15, () => ({ maximum: random.pick([2.5, 3, 1e21]) })),
      ...this.#some(0.1, () => ({ multipleOf: random.pick([0.5, 0.1, 2]) })),
      ...this.#some(0.2, () => ({ format: random.pick(['float', 'double', 'int32']) })),
      ...this.#some(0.08, () => ({ enum: [1, 2.5] })),
      ...this.#some(0.1, () => ({ default: random.pick([0, 1, 1.5]) })),
    };
  }

  #intOrString(): JsonObject {
    const random = this.#random;
    const either = [{ type: 'integer' }, { type: 'string' }];
    return {
      'x-kubernetes-int-or-string': true,
      ...this.#some(0.2, () => ({ anyOf: either })),
      ...this.#some(0.05, () => ({ allOf: [{ anyOf: either }, { maxLength: 3 }] })),
      ...this.#some(0.1, () => ({ pattern: '^[0-9]+%?$' })),
      ...this.#some(0.2, () => ({ maxLength: random.pick([3, 20]) })),
      ...this.#some(0.1, () => ({ maximum: 4 })),
      ...this.#some(0.1, () => ({ default: random.pick([1, '5%']) })),
    };
  }

  #properties(depth: number, count: number): JsonObject {
    const properties: JsonObject = {};
    for (let index = 0; index < count; index++) {
      const name = this.#random.pick(this.#random.chance(0.6) ? names.slice(0, 4) : names);
      properties[name] = this.schema(depth - 1);
    }
    return properties;
  }

  #object(depth: number): JsonObject {
    const random = this.#random;
    const properties = this.#properties(depth, 1 + random.below(4));
    return {
      type: 'object',
      properties,
      ...this.#some(0.2, () => ({ required: [random.pick(Object.keys(properties))] })),
      ...this.#some(0.1, () => ({ 'x-kubernetes-preserve-unknown-fields': true })),
      ...this.#some(0.1, () => ({ 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) })),
      ...this.#some(0.05, () => ({ minProperties: 1, maxProperties: 2 })),
      ...this.#some(0.1, () => ({ default: {} })),
    };
  }

  #map(depth: number): JsonObject {
    const random = this.#random;
    return {
      type: 'object',
      additionalProperties: random.chance(0.05) ? true : this.schema(depth - 1),
      ...this.#limit(() => ({ maxProperties: random.pick([1, 3, 10, 1000]) })),
      ...this.#some(0.05, () => ({ minProperties: 1 })),
      ...this.#some(0.1, () => ({ 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) })),
      ...this.#some(0.05, () => ({ default: {} })),
    };
  }

  #lengths(): JsonObject {
    const random = this.#random;
    return {
      ...this.#limit(() => ({ maxItems: random.pick([0, 1, 3, 10, 100, 10_000]) })),
      ...this.#some(0.05, () => ({ minItems: 1 })),
      ...this.#some(0.05, () => ({ default: [] })),
    };
  }

  #list(depth: number): JsonObject {
    return {
      type: 'array',
      items: this.schema(depth - 1),
      ...this.#lengths(),
      ...this.#some(0.2, () => ({ 'x-kubernetes-list-type': 'atomic' })),
    };
  }

  #set(depth: number): JsonObject {
    const random = this.#random;
    const items = random.chance(0.7)
      ? this.schema(0)
      : random.chance(0.5)
        ? { ...this.#object(depth - 1), 'x-kubernetes-map-type': 'atomic' }
        : { ...this.#list(depth - 1), 'x-kubernetes-list-type': 'atomic' };
    return { type: 'array', items, ...this.#lengths(), 'x-kubernetes-list-type': 'set' };
  }

  #keyedList(depth: number): JsonObject {
    const random = this.#random;
    const keys = random.chance(0.6) ? ['name'] : ['name', random.pick(['port', 'x-y'])];
    const properties: JsonObject = this.#properties(depth - 1, 1 + random.below(2));
    const isRequired = random.chance(0.7);
    for (const key of keys) {
      const scalar = random.pick([this.#string(), this.#integer(), { type: 'boolean' }]);
      const { default: _, ...withoutDefault } = scalar as JsonObject;
      properties[key] = isRequired
        ? withoutDefault
        : { ...withoutDefault, default: zeroOf(scalar) };
    }
    return {
      type: 'array',
      items: this.#finish({
        type: 'object',
        properties,
        ...(isRequired ? { required: keys } : {}),
      }),
      ...this.#lengths(),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    };
  }

  #embedded(depth: number): JsonObject {
    const random = this.#random;
    const named = { type: 'object', properties: { name: this.#string() } };
    return {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      ...(random.chance(0.6)
        ? { 'x-kubernetes-preserve-unknown-fields': true }
        : {
            properties: {
              spec: this.schema(depth - 1),
              ...(random.chance(0.4) ? { metadata: named } : {}),
            },
          }),
    };
  }

  /** Adds further conditions that the value must satisfy. */
  #branches(schema: JsonObject): void {
    const random = this.#random;
    const key = random.pick(['allOf', 'anyOf', 'oneOf', 'not']);
    const branch = (): Json => this.#branch(schema, 2);
    schema[key] = key === 'not' ? branch() : [branch(), branch()].slice(0, 1 + random.below(2));
  }

  #branch(schema: JsonObject, depth: number): JsonObject {
    const random = this.#random;
    const properties = schema['properties'];
    const known = Object.entries((properties ?? {}) as Record<string, JsonObject>);
    if (known.length > 0 && random.chance(0.8)) {
      const [name, inner] = random.pick(known);
      return random.chance(0.5) || depth === 0
        ? { required: [name] }
        : { properties: { [name]: this.#branch(inner, depth - 1) } };
    }
    const items = schema['items'] as JsonObject | undefined;
    if (items && depth > 0 && random.chance(0.5)) return { items: this.#branch(items, depth - 1) };
    return random.pick<JsonObject>([
      { minLength: 2 },
      { pattern: '^a' },
      { maximum: 2 },
      { enum: ['a', 1] },
      { minItems: 1 },
      { maxProperties: 1 },
      { multipleOf: 2 },
      { format: 'date' },
      { not: { pattern: 'b' } },
      { anyOf: [{ minimum: 1 }, { maxLength: 1 }] },
      {},
    ]);
  }
}

const written1 = written('1.0');

function zeroOf(schema: JsonObject): Json {
  const byType: Readonly<Record<string, Json>> = { string: 'a', integer: 1, boolean: false };
  return byType[String(schema['type'])] ?? null;
}
