import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { compareText, parseFloat64 } from '@kubeadmit/go';
import { absorb, ExpressionReference, Failure } from '../steps/failure.ts';
import { Items } from '../steps/items.ts';
import { elementsOf } from '../steps/list.ts';
import type { FunctionEntry } from '../steps/step.ts';
import { toJson } from '../steps/to-json.ts';
import { define } from './define.ts';
import { functionFailure } from './errors.ts';

const sortable = ['array[number]', 'array[string]'] as const;

/** The functions of the JMESPath specification as go-jmespath has them. */
export const builtinFunctions: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  define('abs', ['number'], Math.abs),
  define('avg', ['array[number]'], average),
  define('ceil', ['number'], Math.ceil),
  define('contains', [['array', 'string'], 'any'], contains),
  define('ends_with', ['string', 'string'], (text, end) => text.endsWith(end)),
  define('floor', ['number'], Math.floor),
  define('join', ['string', 'array[string]'], (separator, list) => list.join(separator)),
  define('keys', ['object'], Object.keys),
  define('length', [['string', 'array', 'object']], lengthOf),
  define('map', ['expref', 'array'], map),
  define('max', [sortable], (list) => best(list, 1)),
  define('max_by', ['array', 'expref'], (list, reference) => bestBy('max_by', list, reference, 1)),
  ['merge', { parameters: [['object']], variadic: true, apply: merge }],
  define('min', [sortable], (list) => best(list, -1)),
  define('min_by', ['array', 'expref'], (list, reference) => bestBy('min_by', list, reference, -1)),
  ['not_null', { parameters: [['any']], variadic: true, apply: firstThere }],
  define('reverse', [['array', 'string']], reverse),
  define('sort', [['array[string]', 'array[number]']], (list) => [...list].sort(compareScalars)),
  define('sort_by', ['array', 'expref'], sortBy),
  define('starts_with', ['string', 'string'], (text, start) => text.startsWith(start)),
  define('to_array', ['any'], (value) => (Array.isArray(value) ? value : [value])),
  define('to_number', ['any'], toNumber),
  define('to_string', ['any'], toText),
  define('type', ['any'], typeOf),
  define('values', ['object'], Object.values),
]);

function average(list: readonly number[]): number {
  return list.reduce((sum, item) => sum + item, 0) / list.length;
}

function contains(where: unknown, what: unknown): unknown {
  if (typeof where === 'string') return typeof what === 'string' && where.includes(what);
  if (!Array.isArray(where)) return notAList('contains', 1);
  for (const item of where) {
    if (typeof what !== 'object' || what === null) {
      if (item === what) return true;
    } else if (sameContainer(item, what)) {
      return functionFailure('contains', 'lists and objects cannot be compared');
    }
  }
  return false;
}

function sameContainer(left: unknown, right: unknown): boolean {
  return (Array.isArray(left) && Array.isArray(right)) || (isObject(left) && isObject(right));
}

/** The failure where go-jmespath panics: the result of `items` in place of a list. */
function notAList(name: string, argument: number): Failure {
  return functionFailure(name, `argument #${argument} is not of type Array`);
}

function lengthOf(value: unknown): number {
  if (typeof value !== 'string')
    return (elementsOf(value) ?? Object.keys(value as JsonObject)).length;
  let length = 0;
  for (const _character of value) length++;
  return length;
}

function map({ apply }: ExpressionReference, list: unknown): unknown {
  if (!Array.isArray(list)) return notAList('map', 2);
  const mapped: unknown[] = [];
  for (const item of list) {
    const current = absorb(apply(item));
    if (current instanceof Failure) return current;
    mapped.push(current);
  }
  return mapped;
}

function compareScalars(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  const [a, b] = [left as number, right as number];
  return a < b ? -1 : a > b ? 1 : 0;
}

function best(list: readonly unknown[], direction: 1 | -1): unknown {
  let found: unknown = list[0] ?? null;
  for (const item of list) if (compareScalars(item, found) * direction > 0) found = item;
  return found;
}

function bestBy(
  name: string,
  list: unknown,
  { apply }: ExpressionReference,
  direction: 1 | -1,
): unknown {
  if (!Array.isArray(list)) return notAList(name, 1);
  if (list.length < 2) return list[0] ?? null;
  let found: unknown = list[0];
  let bestKey = absorb(apply(found));
  if (bestKey instanceof Failure) return bestKey;
  const type = typeof bestKey;
  if (type !== 'number' && type !== 'string') {
    return new Failure('invalid type, must be number of string');
  }
  for (const item of list.slice(1)) {
    const key = absorb(apply(item));
    if (key instanceof Failure) return key;
    if (typeof key !== type) return new Failure(`invalid type, must be ${type}`);
    if (compareScalars(key, bestKey) * direction > 0) {
      bestKey = key;
      found = item;
    }
  }
  return found;
}

function firstThere(values: readonly unknown[]): unknown {
  return values.find((value) => value !== null) ?? null;
}

function merge(objects: readonly unknown[]): unknown {
  const merged: JsonObject = {};
  for (const [at, object] of objects.entries()) {
    if (!isObject(object))
      return functionFailure('merge', `argument #${at + 1} is not of type Object`);
    for (const key of Object.keys(object)) setKey(merged, key, object[key]);
  }
  return merged;
}

function reverse(value: unknown): unknown {
  if (typeof value === 'string') return Array.from(value).reverse().join('');
  return Array.isArray(value) ? [...value].reverse() : notAList('reverse', 1);
}

/** Sorts the list itself, so that whatever else holds it sees the new order. */
function sortBy(list: unknown, { apply }: ExpressionReference): unknown {
  if (!Array.isArray(list)) return notAList('sort_by', 1);
  if (list.length < 2) return list;
  const first = absorb(apply(list[0]));
  if (first instanceof Failure) return first;
  const type = typeof first;
  if (type !== 'number' && type !== 'string') {
    return new Failure('invalid type, must be number of string');
  }
  const keyed: { key: unknown; item: unknown }[] = [];
  for (const item of list as unknown[]) {
    const key = apply(item);
    if (typeof key !== type) return new Failure('error in sort_by comparison');
    keyed.push({ key, item });
  }
  keyed.sort((left, right) => compareScalars(left.key, right.key));
  for (const [at, { item }] of keyed.entries()) list[at] = item;
  return list;
}

function toNumber(value: unknown): unknown {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    const number = parseFloat64(value);
    return typeof number === 'number' ? number : null;
  }
  return isJsonType(value) ? null : new Failure('unknown type');
}

function toText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (value instanceof ExpressionReference) return '{}';
  return toJson(value);
}

function isJsonType(value: unknown): boolean {
  return (
    typeof value !== 'bigint' &&
    !(value instanceof Items) &&
    !(value instanceof ExpressionReference)
  );
}

function typeOf(value: unknown): unknown {
  if (!isJsonType(value)) return new Failure('unknown type');
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
