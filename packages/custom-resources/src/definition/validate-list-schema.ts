import { isObject, member, memberText, memberTexts } from '@kubeadmit/apimachinery';
import {
  childPath,
  type Finding,
  forbidden,
  invalid,
  invalidShown,
  keyPath,
  required,
} from '../schema/finding.ts';
import { isOn, propertyOf, type Schema } from '../schema/schema.ts';
import { kindOf } from '../values/json-value.ts';
import { itemsText } from './go-schema.ts';

/** Checks the items of a list of type `set`. */
export function validateSetItems(items: Schema, path: string): Finding[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = member(items, 'x-kubernetes-list-type');
  const shown = listType ?? null;
  const type = memberText(items, 'type');
  if (type === 'array' && typeof listType === 'string' && listType !== 'atomic') {
    return [invalid(childPath(path, 'x-kubernetes-list-type'), shown, detail)];
  }
  if (type === 'object' && member(items, 'x-kubernetes-map-type') !== 'atomic') {
    return [invalid(childPath(path, 'x-kubernetes-map-type'), shown, detail)];
  }
  return [];
}

/** Checks the keys of a list of type `map`. */
export function validateMapKeys(schema: Schema, keys: readonly string[], path: string): Finding[] {
  const findings: Finding[] = [];
  const at = (name: string): string => childPath(path, name);
  const items = member(schema, 'items');
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
  const type = memberText(items, 'type');
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
    } else if (['array', 'object'].includes(memberText(property, 'type'))) {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      findings.push(invalid(childPath(place, 'type'), type, detail));
    }
    if (seen.has(key)) findings.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return findings;
}

/** Checks that the items of a set or the keys of a list of type `map` are always there. */
export function validateKeyValues(
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
    const hasDefault = kindOf(member(property, 'default')) !== 'null';
    if (!memberTexts(items, 'required').includes(key) && !hasDefault) {
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
