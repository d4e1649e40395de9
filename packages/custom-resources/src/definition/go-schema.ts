import {
  isObject,
  type JsonObject,
  member,
  memberText,
  memberTexts,
  objectOf,
} from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go';
import { type Rule, rulesOf } from '../rules/rule.ts';
import type { Schema } from '../schema/schema.ts';
import { sortedJson } from '../values/go-value-text.ts';
import { kindOf, numberOf } from '../values/json-value.ts';

/** How a field of kube-apiserver's internal schema type is printed. */
type Print = (schema: Schema, key: string) => string;

const text: Print = (schema, key) => sortedJson(memberText(schema, key));
const flag: Print = (schema, key) => String(member(schema, key) === true);
const value: Print = (schema, key) => sortedJson(member(schema, key) ?? null);
const double: Print = (schema, key) => sortedJson(numberOf(member(schema, key)) ?? null);
const names: Print = (schema, key) =>
  Array.isArray(member(schema, key)) ? sortedJson(memberTexts(schema, key)) : 'null';
const inner: Print = (schema, key) => schemaOrNull(member(schema, key));
const schemas: Print = (schema, key) => listOfSchemas(member(schema, key));
const schemaMap: Print = (schema, key) => mapOf(member(schema, key), schemaText);
const items: Print = (schema, key) => {
  const given = member(schema, key);
  if (kindOf(given) === 'null') return 'null';
  return itemsText(given);
};
const schemaOrSwitch: Print = (schema, key) => {
  const given = member(schema, key);
  if (kindOf(given) === 'null') return 'null';
  return `{"Allows":${given !== false},"Schema":${schemaOrNull(given)}}`;
};
const dependencies: Print = (schema, key) =>
  mapOf(member(schema, key), (each) =>
    Array.isArray(each)
      ? `{"Schema":null,"Property":${sortedJson(each)}}`
      : `{"Schema":${schemaOrNull(each)},"Property":null}`,
  );
const documentation: Print = (schema, key) => {
  const given = member(schema, key);
  if (!isObject(given)) return 'null';
  return `{"Description":${text(given, 'description')},"URL":${text(given, 'url')}}`;
};
const rules: Print = (schema, key) =>
  Array.isArray(member(schema, key)) ? `[${rulesOf(schema).map(ruleText).join(',')}]` : 'null';

/** The fields of the internal type in their order: Go's name, the name in JSON, and how it is printed. */
const fields: readonly (readonly [string, string, Print])[] = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', value],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', value],
  ['Maximum', 'maximum', double],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', double],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', value],
  ['MinLength', 'minLength', value],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', value],
  ['MinItems', 'minItems', value],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', double],
  ['Enum', 'enum', value],
  ['MaxProperties', 'maxProperties', value],
  ['MinProperties', 'minProperties', value],
  ['Required', 'required', names],
  ['Items', 'items', items],
  ['AllOf', 'allOf', schemas],
  ['OneOf', 'oneOf', schemas],
  ['AnyOf', 'anyOf', schemas],
  ['Not', 'not', inner],
  ['Properties', 'properties', schemaMap],
  ['AdditionalProperties', 'additionalProperties', schemaOrSwitch],
  ['PatternProperties', 'patternProperties', schemaMap],
  ['Dependencies', 'dependencies', dependencies],
  ['AdditionalItems', 'additionalItems', schemaOrSwitch],
  ['Definitions', 'definitions', schemaMap],
  ['ExternalDocs', 'externalDocs', documentation],
  ['Example', 'example', value],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', value],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', names],
  ['XListType', 'x-kubernetes-list-type', value],
  ['XMapType', 'x-kubernetes-map-type', value],
  ['XValidations', 'x-kubernetes-validations', rules],
];

/** A schema as kube-apiserver prints its internal type: every field, under its Go name. */
export function schemaText(schema: unknown): string {
  const given = objectOf(schema);
  return `{${fields.map(([name, key, print]) => `"${name}":${print(given, key)}`).join(',')}}`;
}

/** The `items` of a schema as kube-apiserver prints its internal type: one schema, or a list of them. */
export function itemsText(given: unknown): string {
  const [one, many] = Array.isArray(given)
    ? ['null', listOfSchemas(given)]
    : [schemaOrNull(given), 'null'];
  return `{"Schema":${one},"JSONSchemas":${many}}`;
}

/** The Go names of the fields of a schema that are set, in their order. */
export function setFields(schema: Schema): readonly string[] {
  return fields.flatMap(([name, key, print]) =>
    ['null', 'false', '""'].includes(print(schema, key)) && !isSetPointer(schema, key)
      ? []
      : [name],
  );
}

const pointers: ReadonlySet<string> = new Set([
  '$ref',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
]);

/** A pointer to an empty value is set. */
function isSetPointer(schema: Schema, key: string): boolean {
  return pointers.has(key) && kindOf(member(schema, key)) !== 'null';
}

/** A rule as kube-apiserver prints its internal type. */
export function ruleText(rule: Rule): string {
  const parts: readonly (readonly [string, unknown])[] = [
    ['Rule', rule.rule],
    ['Message', rule.message],
    ['MessageExpression', rule.messageExpression],
    ['Reason', rule.reason ?? null],
    ['FieldPath', rule.fieldPath],
    ['OptionalOldSelf', rule.optionalOldSelf ?? null],
  ];
  return `{${parts.map(([name, part]) => `"${name}":${sortedJson(part)}`).join(',')}}`;
}

/** The versions of a definition as kube-apiserver prints its internal type. */
export function versionsText(versions: readonly JsonObject[]): string {
  return `[${versions.map(versionText).join(',')}]`;
}

function versionText(version: JsonObject): string {
  const schema = member(version, 'schema');
  const parts = [
    `"Name":${text(version, 'name')}`,
    `"Served":${flag(version, 'served')}`,
    `"Storage":${flag(version, 'storage')}`,
    `"Deprecated":${flag(version, 'deprecated')}`,
    `"DeprecationWarning":${value(version, 'deprecationWarning')}`,
    `"Schema":${isObject(schema) ? `{"OpenAPIV3Schema":${inner(schema, 'openAPIV3Schema')}}` : 'null'}`,
    `"Subresources":${subresourcesText(member(version, 'subresources'))}`,
    `"AdditionalPrinterColumns":${listOf(member(version, 'additionalPrinterColumns'), columnText)}`,
    `"SelectableFields":${listOf(member(version, 'selectableFields'), (each) => `{"JSONPath":${text(each, 'jsonPath')}}`)}`,
  ];
  return `{${parts.join(',')}}`;
}

function subresourcesText(given: unknown): string {
  if (!isObject(given)) return 'null';
  const scale = member(given, 'scale');
  const scaleText = isObject(scale)
    ? `{"SpecReplicasPath":${text(scale, 'specReplicasPath')},"StatusReplicasPath":${text(scale, 'statusReplicasPath')},"LabelSelectorPath":${value(scale, 'labelSelectorPath')}}`
    : 'null';
  return `{"Status":${isObject(member(given, 'status')) ? '{}' : 'null'},"Scale":${scaleText}}`;
}

function columnText(column: JsonObject): string {
  return `{"Name":${text(column, 'name')},"Type":${text(column, 'type')},"Format":${text(column, 'format')},"Description":${text(column, 'description')},"Priority":${sortedJson(member(column, 'priority') ?? 0)},"JSONPath":${text(column, 'jsonPath')}}`;
}

function schemaOrNull(given: unknown): string {
  return isObject(given) ? schemaText(given) : 'null';
}

function listOfSchemas(given: unknown): string {
  return Array.isArray(given) ? `[${given.map(schemaText).join(',')}]` : 'null';
}

function listOf(given: unknown, print: (each: JsonObject) => string): string {
  if (!Array.isArray(given)) return 'null';
  return `[${given.map((each) => print(objectOf(each))).join(',')}]`;
}

function mapOf(given: unknown, print: (each: unknown) => string): string {
  if (!isObject(given)) return 'null';
  const entries = sortedKeys(given).map((key) => `${sortedJson(key)}:${print(given[key])}`);
  return `{${entries.join(',')}}`;
}
