import { type Json, type JsonObject, written } from '@kubeadmit/conformance-tools';
import type { Random } from '@kubeadmit/random';

/** Fields of a schema with values that are odd or wrong in most places. */
const odd: Readonly<Record<string, readonly Json[]>> = {
  type: ['string', 'object', 'array', 'integer', 'null', 'foo', ''],
  format: ['date', 'int32', 'nonsense', ''],
  nullable: [true, false],
  title: ['t'],
  id: ['x'],
  $ref: ['#/definitions/x', ''],
  $schema: ['http://json-schema.org/schema#'],
  definitions: [{ a: { type: 'string' } }, {}],
  dependencies: [{ a: ['b'] }, { a: { type: 'string' } }],
  patternProperties: [{ '^a': { type: 'string' } }, {}],
  additionalItems: [true, false, { type: 'string' }],
  uniqueItems: [true],
  additionalProperties: [true, false, { type: 'string' }, {}],
  properties: [{}, { a: {} }, { a: { type: 'string' } }, { metadata: { type: 'string' } }],
  items: [{}, { type: 'string' }, [{ type: 'string' }]],
  required: [['a'], ['nope'], []],
  enum: [[null], [], ['a', 1, { a: 1 }]],
  pattern: ['(', '[a-', '(?!x)', 'a'],
  minLength: [-1, 5],
  maxLength: [-1, 0],
  minimum: [5, -1e300, written('0.0')],
  maximum: [-5, 1e22],
  exclusiveMinimum: [true],
  exclusiveMaximum: [true],
  multipleOf: [0, -1, 0.1],
  minItems: [-1, 3],
  maxItems: [-1, 0, 4_000_000_000],
  minProperties: [-1, 3],
  maxProperties: [-1, 0],
  default: [
    null,
    'a',
    5,
    1.5,
    {},
    [],
    { a: null },
    { a: 1, zzz: 2 },
    [1, 'x', null],
    written('2.0'),
  ],
  example: [5, { a: '<' }],
  externalDocs: [{ url: 'x', description: 'd' }],
  not: [{}, { type: 'string' }, { default: 1 }, { required: ['a'] }],
  allOf: [[{}], [{ type: 'string' }], [{ nullable: true, title: 't', description: 'd' }], []],
  anyOf: [
    [{ type: 'integer' }, { type: 'string' }],
    [{ properties: { a: { minLength: 1 }, nope: { minLength: 1 } } }],
    [{ 'x-kubernetes-validations': [{ rule: 'true' }] }],
  ],
  oneOf: [[{ required: ['a'] }, { required: ['b'] }], [{ additionalProperties: false }]],
  'x-kubernetes-preserve-unknown-fields': [true, false],
  'x-kubernetes-embedded-resource': [true, false],
  'x-kubernetes-int-or-string': [true, false],
  'x-kubernetes-list-type': ['set', 'map', 'atomic', 'odd', ''],
  'x-kubernetes-list-map-keys': [['name'], ['a', 'b'], ['a', 'a'], ['nope'], []],
  'x-kubernetes-map-type': ['atomic', 'granular', 'odd', ''],
};

const fields = Object.keys(odd);

/** Sets or takes away a field of a schema, which mostly makes it one that a definition must not have. */
export function spoil(random: Random, schema: JsonObject): void {
  if (random.chance(0.2)) {
    delete schema[random.pick(Object.keys(schema).concat('type'))];
    return;
  }
  const field = random.pick(fields);
  schema[field] = structuredClone(random.pick(odd[field] ?? [])) as Json;
}
