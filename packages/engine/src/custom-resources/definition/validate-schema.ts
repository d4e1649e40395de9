import { readStructural, SchemaProblem } from '@kubeadmit/schemas';
import { trimSpace } from '../../rest/go-text.ts';
import {
  childPath,
  type Finding,
  forbidden,
  invalid,
  invalidShown,
  keyPath,
  notSupported,
  required,
} from '../finding.ts';
import { followFieldPath } from '../rules/field-path.ts';
import { rulesOf } from '../rules/rule.ts';
import {
  branchesOf,
  innerOf,
  isCorrelatableMap,
  isOn,
  listMapKeysOf,
  propertiesOf,
  propertyOf,
  type Schema,
  textOf,
  textsOf,
  valuesOf,
} from '../schema/schema.ts';
import { isObject, kindOf, own, sortedKeys } from '../values/json-value.ts';
import { itemsText } from './go-schema.ts';
import type { RuleContext } from './rule-context.ts';
import { validateRules } from './validate-rules.ts';

/** What is wrong with a schema itself, and what with its rules, which are only compiled when nothing else is. */
export interface SchemaFindings {
  readonly schema: Finding[];
  readonly rules: Finding[];
}

/** What the place of a schema in its definition allows. */
export interface SchemaPlace {
  readonly isRoot?: boolean;
  /** Why there must be no defaults. */
  readonly noDefaults?: string;
  readonly isInsideMetadata?: boolean;
  /** The path of the list or map in which what was cannot be found. */
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
  const at = (name: string): string => childPath(path, name);
  const { context } = place;
  const take = (inner: Schema | undefined, innerPath: string, innerPlace: SchemaPlace): void => {
    const findings = validateSchema(inner, innerPath, innerPlace);
    found.schema.push(...findings.schema);
    found.rules.push(...findings.rules);
  };
  const { isRoot, context: _, ...inherited } = place;
  found.schema.push(...validatePlain(schema, path, place));
  if (isOn(schema, 'uniqueItems')) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbidden(at('uniqueItems'), detail));
  }
  const additional = own(schema, 'additionalProperties');
  const names = sortedKeys(propertiesOf(schema));
  if (kindOf(additional) !== 'null') {
    if (names.length > 0 && additional !== true) {
      const detail = 'additionalProperties and properties are mutual exclusive';
      found.schema.push(forbidden(at('additionalProperties'), detail));
    }
    const values = valuesOf(schema);
    take(values, at('additionalProperties'), {
      ...inherited,
      ...(place.isInsideMetadata
        ? { noDefaults: 'inside additionalProperties applying to object metadata' }
        : {}),
      context: context?.child(values, { kind: 'values' }),
    });
  }
  for (const name of names) {
    const property = propertyOf(schema, name) ?? {};
    const isMeta =
      (isRoot || isOn(schema, 'x-kubernetes-embedded-resource')) && metaFields.has(name);
    take(property, keyPath(at('properties'), name), {
      ...inherited,
      ...(isCorrelatableMap(schema) ? {} : { uncorrelated: place.uncorrelated ?? path }),
      ...(isMeta ? { isInsideMetadata: true } : {}),
      ...(isMeta && isRoot ? { noDefaults: `in top-level ${name}` } : {}),
      context: context?.child(property, { kind: 'property', name }),
    });
  }
  take(innerOf(schema, 'not'), at('not'), inherited);
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    branchesOf(schema, key).forEach((branch, index) => {
      take(branch, keyPath(at(key), index), inherited);
    });
  }
  for (const key of sortedKeys(propertiesOf(schema, 'definitions'))) {
    take(
      innerOf(propertiesOf(schema, 'definitions'), key),
      keyPath(at('definitions'), key),
      inherited,
    );
  }
  const items = own(schema, 'items');
  const itemsPlace = {
    ...inherited,
    ...(own(schema, 'x-kubernetes-list-type') === 'map'
      ? {}
      : { uncorrelated: place.uncorrelated ?? path }),
  };
  for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
    const inner = isObject(item) ? item : {};
    const innerContext = context?.child(inner, { kind: 'items' });
    take(inner, keyPath(at('items'), index), { ...itemsPlace, context: innerContext });
  }
  if (isObject(items)) {
    take(items, at('items'), { ...itemsPlace, context: context?.child(items, { kind: 'items' }) });
  }
  for (const key of sortedKeys(propertiesOf(schema, 'dependencies'))) {
    take(
      innerOf(propertiesOf(schema, 'dependencies'), key),
      keyPath(at('dependencies'), key),
      inherited,
    );
  }
  found.schema.push(...validateTypes(schema, path), ...validateRuleForms(schema, path));
  if (rulesOf(schema).length > 0 && found.schema.length === 0 && context) {
    found.rules.push(...validateRules(schema, path, context, place.uncorrelated));
  }
  return found;
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
  const type = textOf(schema, 'type');
  if (type !== '' && !types.includes(type)) {
    findings.push(notSupported(at('type'), type, types));
  }
  if (kindOf(own(schema, 'default')) !== 'null' && place.noDefaults !== undefined) {
    findings.push(forbidden(at('default'), `must not be set ${place.noDefaults}`));
  }
  for (const [key, isSet] of unsupported) {
    if (isSet(own(schema, key))) findings.push(forbidden(at(key), `${key} is not supported`));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    findings.push(forbidden(at('type'), detail));
  }
  const items = own(schema, 'items');
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
  const type = textOf(schema, 'type');
  const wrongType = (detail: string): Finding =>
    type === '' ? required(at('type'), detail) : invalid(at('type'), type, detail);
  if (own(schema, 'x-kubernetes-preserve-unknown-fields') === false) {
    const detail = 'must be true or undefined';
    findings.push(invalid(at('x-kubernetes-preserve-unknown-fields'), false, detail));
  }
  const mapType = own(schema, 'x-kubernetes-map-type');
  if (typeof mapType === 'string') {
    if (type !== 'object') {
      findings.push(wrongType('must be object if x-kubernetes-map-type is specified'));
    }
    if (mapType !== 'atomic' && mapType !== 'granular') {
      findings.push(notSupported(at('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
    }
  }
  const listType = own(schema, 'x-kubernetes-list-type');
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

function validateSetItems(items: Schema, path: string): Finding[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = own(items, 'x-kubernetes-list-type');
  const shown = listType ?? null;
  const type = textOf(items, 'type');
  if (type === 'array' && typeof listType === 'string' && listType !== 'atomic') {
    return [invalid(childPath(path, 'x-kubernetes-list-type'), shown, detail)];
  }
  if (type === 'object' && own(items, 'x-kubernetes-map-type') !== 'atomic') {
    return [invalid(childPath(path, 'x-kubernetes-map-type'), shown, detail)];
  }
  return [];
}

function validateMapKeys(schema: Schema, keys: readonly string[], path: string): Finding[] {
  const findings: Finding[] = [];
  const at = (name: string): string => childPath(path, name);
  const items = own(schema, 'items');
  const keysPath = at('x-kubernetes-list-map-keys');
  if (keys.length === 0) {
    findings.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (kindOf(items) === 'null') {
    findings.push(required(at('items'), 'must have a schema if x-kubernetes-list-type is map'));
    return findings;
  }
  if (!isObject(items)) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    findings.push(invalidShown(at('items'), itemsText(items), detail));
    return findings;
  }
  const type = textOf(items, 'type');
  if (type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    findings.push(invalid(childPath(at('items'), 'type'), type, detail));
    return findings;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    const place = keyPath(childPath(at('items'), 'properties'), key);
    if (!property) {
      findings.push(invalid(keysPath, keys, 'entries must all be names of item properties'));
    } else if (['array', 'object'].includes(textOf(property, 'type'))) {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      findings.push(invalid(childPath(place, 'type'), type, detail));
    }
    if (seen.has(key)) {
      findings.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    }
    seen.add(key);
  }
  return findings;
}

function validateKeyValues(
  items: Schema,
  listType: string,
  keys: readonly string[],
  path: string,
): Finding[] {
  const findings: Finding[] = [];
  if (isOn(items, 'nullable')) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    findings.push(forbidden(childPath(path, 'nullable'), detail));
  }
  for (const key of listType === 'map' ? keys : []) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const place = keyPath(childPath(path, 'properties'), key);
    const hasDefault = kindOf(own(property, 'default')) !== 'null';
    if (!textsOf(items, 'required').includes(key) && !hasDefault) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      findings.push(required(childPath(place, 'default'), detail));
    }
    if (isOn(property, 'nullable')) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      findings.push(forbidden(childPath(place, 'nullable'), detail));
    }
  }
  return findings;
}

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Whether a path leads somewhere; all do in a schema that is not structural. */
function isValidPath(path: string, schema: Schema): boolean {
  if (readStructural(schema) instanceof SchemaProblem) return true;
  return !('problem' in followFieldPath(path, schema));
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

function validateRuleForms(schema: Schema, path: string): Finding[] {
  return rulesOf(schema).flatMap((rule, index) => {
    const findings: Finding[] = [];
    const place = keyPath(childPath(path, 'x-kubernetes-validations'), index);
    const at = (name: string): string => childPath(place, name);
    const text = trimSpace(rule.rule);
    const message = trimSpace(rule.message);
    if (text === '') findings.push(required(at('rule'), 'rule is not specified'));
    else if (rule.message !== '' && message === '') {
      findings.push(invalid(at('message'), rule.message, 'must be non-empty if specified'));
    } else if (hasLineBreak(message)) {
      findings.push(invalid(at('message'), rule.message, 'must not contain line breaks'));
    } else if (hasLineBreak(text) && message === '') {
      const detail = 'message must be specified if rule contains line breaks';
      findings.push(required(at('message'), detail));
    }
    if (rule.messageExpression !== '' && trimSpace(rule.messageExpression) === '') {
      const detail = 'messageExpression must be non-empty if specified';
      findings.push(required(at('messageExpression'), detail));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      findings.push(notSupported(at('reason'), rule.reason, reasons));
    }
    const { fieldPath } = rule;
    if (fieldPath === '') return findings;
    if (trimSpace(fieldPath) === '') {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must be non-empty if specified'));
    }
    if (hasLineBreak(fieldPath)) {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must not contain line breaks'));
    }
    if (!isValidPath(fieldPath, schema)) {
      findings.push(invalid(at('fieldPath'), fieldPath, 'must be a valid path'));
    }
    return findings;
  });
}
