import { isObject, listOf, member, memberText, objectOf } from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go';
import { rulesOf } from '../rules/rule.ts';
import {
  childPath,
  type Finding,
  forbidden,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../schema/finding.ts';
import {
  branchesOf,
  innerOf,
  isCorrelatableMap,
  isOn,
  listMapKeysOf,
  propertiesOf,
  propertyOf,
  type Schema,
  valuesOf,
} from '../schema/schema.ts';
import { kindOf } from '../values/json-value.ts';
import type { RuleContext } from './rule-context.ts';
import { validateKeyValues, validateMapKeys, validateSetItems } from './validate-list-schema.ts';
import { validateRuleForms } from './validate-rule-forms.ts';
import { validateRules } from './validate-rules.ts';

/** Findings about a schema itself, and about its rules, which are compiled only if there are no others. */
export interface SchemaFindings {
  readonly schema: Finding[];
  readonly rules: Finding[];
}

/** The constraints of a schema's position in its definition. */
export interface SchemaPlace {
  readonly isRoot?: boolean;
  /** Why there must be no defaults. */
  readonly noDefaults?: string;
  readonly isInsideMetadata?: boolean;
  /** The path of the list or map whose previous value cannot be found. */
  readonly uncorrelated?: string;
  /** Absent where rules are not looked at. */
  readonly context?: RuleContext | undefined;
}

const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Validates a schema of a new definition (apiextensions, `ValidateCustomResourceDefinitionOpenAPISchema`). */
export function validateSchema(
  schema: Schema | undefined,
  path: string,
  place: SchemaPlace,
): SchemaFindings {
  const found: SchemaFindings = { schema: [], rules: [] };
  if (!schema) return found;
  found.schema.push(...validatePlain(schema, path, place));
  if (isOn(schema, 'uniqueItems')) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbidden(childPath(path, 'uniqueItems'), detail));
  }
  const additional = member(schema, 'additionalProperties');
  const isOpen = kindOf(additional) === 'null' || additional === true;
  if (!isOpen && Object.keys(propertiesOf(schema)).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    found.schema.push(forbidden(childPath(path, 'additionalProperties'), detail));
  }
  for (const inner of innerSchemas(schema, path, place)) {
    const findings = validateSchema(inner.schema, inner.path, inner.place);
    found.schema.push(...findings.schema);
    found.rules.push(...findings.rules);
  }
  found.schema.push(...validateTypes(schema, path), ...validateRuleForms(schema, path));
  const { context } = place;
  if (rulesOf(schema).length > 0 && found.schema.length === 0 && context) {
    found.rules.push(...validateRules(schema, path, context, place.uncorrelated));
  }
  return found;
}

interface InnerSchema {
  readonly schema: Schema | undefined;
  readonly path: string;
  readonly place: SchemaPlace;
}

/** The schemas within one, in the order in which the server looks at them. */
function* innerSchemas(schema: Schema, path: string, place: SchemaPlace): Generator<InnerSchema> {
  const at = (name: string): string => childPath(path, name);
  const { isRoot, context, ...inherited } = place;
  const values = valuesOf(schema);
  if (kindOf(member(schema, 'additionalProperties')) !== 'null') {
    const noDefaults = 'inside additionalProperties applying to object metadata';
    const inner = {
      ...inherited,
      ...(place.isInsideMetadata ? { noDefaults } : {}),
      context: context?.child(values, { kind: 'values' }),
    };
    yield { schema: values, path: at('additionalProperties'), place: inner };
  }
  for (const name of sortedKeys(propertiesOf(schema))) {
    const property = propertyOf(schema, name) ?? {};
    const isMeta =
      (isRoot || isOn(schema, 'x-kubernetes-embedded-resource')) && metaFields.has(name);
    const inner = {
      ...inherited,
      ...(isCorrelatableMap(schema) ? {} : { uncorrelated: place.uncorrelated ?? path }),
      ...(isMeta ? { isInsideMetadata: true } : {}),
      ...(isMeta && isRoot ? { noDefaults: `in top-level ${name}` } : {}),
      context: context?.child(property, { kind: 'property', name }),
    };
    yield { schema: property, path: keyPath(at('properties'), name), place: inner };
  }
  yield { schema: innerOf(schema, 'not'), path: at('not'), place: inherited };
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, branch] of branchesOf(schema, key).entries()) {
      yield { schema: branch, path: keyPath(at(key), index), place: inherited };
    }
  }
  for (const [name, inner] of namedSchemas(schema, 'definitions')) {
    yield { schema: inner, path: keyPath(at('definitions'), name), place: inherited };
  }
  yield* itemSchemas(schema, path, place);
  for (const [name, inner] of namedSchemas(schema, 'dependencies')) {
    yield { schema: inner, path: keyPath(at('dependencies'), name), place: inherited };
  }
}

function namedSchemas(schema: Schema, field: string): readonly [string, Schema | undefined][] {
  const all = propertiesOf(schema, field);
  return sortedKeys(all).map((name) => [name, innerOf(all, name)]);
}

function* itemSchemas(schema: Schema, path: string, place: SchemaPlace): Generator<InnerSchema> {
  const { isRoot: _, context, ...inherited } = place;
  const items = member(schema, 'items');
  const isMap = member(schema, 'x-kubernetes-list-type') === 'map';
  const itemsPlace = {
    ...inherited,
    ...(isMap ? {} : { uncorrelated: place.uncorrelated ?? path }),
  };
  const itemsPath = childPath(path, 'items');
  for (const [index, item] of listOf(items).entries()) {
    const inner = objectOf(item);
    const innerContext = context?.child(inner, { kind: 'items' });
    yield {
      schema: inner,
      path: keyPath(itemsPath, index),
      place: { ...itemsPlace, context: innerContext },
    };
  }
  if (isObject(items)) {
    const innerContext = context?.child(items, { kind: 'items' });
    yield { schema: items, path: itemsPath, place: { ...itemsPlace, context: innerContext } };
  }
}

const unsupported: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['id', (value) => typeof value === 'string' && value !== ''],
  ['additionalItems', (value) => kindOf(value) !== 'null'],
  ['patternProperties', (value) => isObject(value) && Object.keys(value).length > 0],
  ['definitions', (value) => isObject(value) && Object.keys(value).length > 0],
  ['dependencies', (value) => isObject(value)],
  ['$ref', (value) => kindOf(value) !== 'null'],
];

function validatePlain(schema: Schema, path: string, place: SchemaPlace): Finding[] {
  const findings: Finding[] = [];
  const at = (name: string): string => childPath(path, name);
  const type = memberText(schema, 'type');
  if (type !== '' && !types.includes(type)) findings.push(notSupported(at('type'), type, types));
  if (kindOf(member(schema, 'default')) !== 'null' && place.noDefaults !== undefined) {
    findings.push(forbidden(at('default'), `must not be set ${place.noDefaults}`));
  }
  for (const [key, isSet] of unsupported) {
    if (isSet(member(schema, key))) findings.push(forbidden(at(key), `${key} is not supported`));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    findings.push(forbidden(at('type'), detail));
  }
  const items = member(schema, 'items');
  if (Array.isArray(items) && items.length > 0) {
    findings.push(forbidden(at('items'), 'items must be a schema object and not an array'));
  }
  if (place.isInsideMetadata && isOn(schema, 'x-kubernetes-embedded-resource')) {
    const detail = 'must not be used inside of resource meta';
    findings.push(forbidden(at('x-kubernetes-embedded-resource'), detail));
  }
  return findings;
}

function validateTypes(schema: Schema, path: string): Finding[] {
  const findings: Finding[] = [];
  const at = (name: string): string => childPath(path, name);
  const type = memberText(schema, 'type');
  const wrongType = (detail: string): Finding =>
    type === '' ? required(at('type'), detail) : invalid(at('type'), type, detail);
  if (member(schema, 'x-kubernetes-preserve-unknown-fields') === false) {
    const detail = 'must be true or undefined';
    findings.push(invalid(at('x-kubernetes-preserve-unknown-fields'), false, detail));
  }
  const mapType = member(schema, 'x-kubernetes-map-type');
  if (typeof mapType === 'string') {
    if (type !== 'object') {
      findings.push(wrongType('must be object if x-kubernetes-map-type is specified'));
    }
    if (mapType !== 'atomic' && mapType !== 'granular') {
      findings.push(notSupported(at('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
    }
  }
  const listType = member(schema, 'x-kubernetes-list-type');
  const items = innerOf(schema, 'items');
  if (typeof listType === 'string') {
    if (type !== 'array') {
      findings.push(wrongType('must be array if x-kubernetes-list-type is specified'));
    } else if (listType === 'set' && items) findings.push(...validateSetItems(items, at('items')));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      const allowed = ['atomic', 'set', 'map'];
      findings.push(notSupported(at('x-kubernetes-list-type'), listType, allowed));
    }
  }
  const keys = listMapKeysOf(schema);
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = at('x-kubernetes-list-type');
    findings.push(
      typeof listType === 'string' ? invalid(place, listType, detail) : required(place, detail),
    );
  }
  if (listType === 'map') findings.push(...validateMapKeys(schema, keys, path));
  if (items && (listType === 'set' || listType === 'map')) {
    findings.push(...validateKeyValues(items, listType, keys, at('items')));
  }
  return findings;
}
