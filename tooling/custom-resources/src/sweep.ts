import type { Json, JsonObject } from '@kubeadmit/conformance-tools';
import { words } from '@kubeadmit/random';
import { definitionOf } from './cases.ts';

const fields: readonly string[] = words(
  'type format nullable title description id $ref $schema definitions',
  'dependencies patternProperties additionalItems uniqueItems',
  'additionalProperties properties items required enum pattern minLength',
  'maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  'minItems maxItems minProperties maxProperties default example externalDocs',
  'not allOf anyOf oneOf x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource x-kubernetes-int-or-string',
  'x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type',
  'x-kubernetes-validations unknown',
);

const text: JsonObject = { type: 'string' };

const values: readonly Json[] = [
  ...[null, '', 'a', 0, -1, 1.5, 5, true, false],
  ...[[], [{}], ['a'], [text]],
  ...[{}, { a: {} }, text],
];

const bases: readonly JsonObject[] = [
  text,
  { type: 'integer' },
  { type: 'object', properties: { a: text } },
  { type: 'object', additionalProperties: text },
  { type: 'array', items: text },
];

/** Where a schema can stand in that of an object. */
const places: readonly ((schema: JsonObject) => JsonObject)[] = [
  (schema) => ({ p: schema }),
  (schema) => ({ p: { type: 'array', items: schema } }),
  (schema) => ({ p: { type: 'object', additionalProperties: schema } }),
  (schema) => ({ p: { ...text, allOf: [schema] } }),
  (schema) => ({ p: { ...text, not: schema } }),
  (schema) => ({
    p: { type: 'object', properties: { a: text }, anyOf: [{ properties: { a: schema } }] },
  }),
  (schema) => ({ metadata: schema }),
  (schema) => ({ metadata: { type: 'object', properties: { name: schema } } }),
];

/** Definitions with one field of one schema set to one value: every field, in every place, with every value. */
export function* sweepCases(): Generator<JsonObject> {
  let made = 0;
  for (const place of places) {
    for (const base of bases) {
      for (const field of fields) {
        for (const value of values) {
          yield {
            id: `sweep-${made++}`,
            definition: definitionOf([
              { type: 'object', properties: place({ ...base, [field]: value }) },
            ]),
          };
        }
      }
    }
  }
}
