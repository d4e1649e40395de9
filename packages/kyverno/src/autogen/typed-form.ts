import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/go/internal';

/** Members that hold JSON of any kind, which is kept as it is written. */
const freeForm: ReadonlySet<string> = new Set([
  'pattern',
  'anyPattern',
  'patchStrategicMerge',
  'key',
  'value',
  'default',
]);

/** Members that are left out when they are empty maps. */
const maps: ReadonlySet<string> = new Set(['annotations', 'matchLabels', 'reportProperties']);

/** Members whose empty lists stay. */
const keptLists: ReadonlySet<string> = new Set(['preconditions', 'conditions']);

/** A rule as Kyverno's types write it: without what is absent, empty texts, empty lists and empty maps. */
export function typedForm(rule: JsonObject): JsonObject {
  const cleaned: JsonObject = {};
  for (const key of Object.keys(rule)) {
    const value = rule[key];
    const isKept = freeForm.has(key) && value !== null;
    if (isKept) setKey(cleaned, key, value);
    else if (!isAbsent(key, value)) setKey(cleaned, key, cleanedValue(value));
  }
  return cleaned;
}

function isAbsent(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0 && !keptLists.has(key);
  return isObject(value) && maps.has(key) && Object.keys(value).length === 0;
}

function cleanedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanedValue);
  return isObject(value) ? typedForm(value) : value;
}
