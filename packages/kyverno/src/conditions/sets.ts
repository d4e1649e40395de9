import { describeValue } from '@kubeadmit/base';
import { formatValue, readJson } from '@kubeadmit/go';
import { Failure } from '../jmespath/steps/failure.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import { operatorOf } from '../patterns/operator.ts';
import { satisfies } from '../patterns/scalar.ts';

/** The operators on sets. */
export type SetOperator = 'anyin' | 'allin' | 'anynotin' | 'allnotin';

/** The operators `AnyIn`, `AllIn`, `AnyNotIn` and `AllNotIn`. */
export function isInSet(operator: SetOperator, key: unknown, value: unknown): boolean {
  if (Array.isArray(key)) return listIsInSet(operator, key.map(formatValue), value);
  const text = scalarText(key);
  if (text === undefined) return false;
  const isIn = textIsIn(text, value);
  return isIn === undefined ? false : isIn !== isNegated(operator);
}

function isNegated(operator: SetOperator): boolean {
  return operator === 'anynotin' || operator === 'allnotin';
}

/** The deprecated operators `In` and `NotIn`; a `Failure` for a key at which Kyverno panics. */
export function isInOldSet(isOutside: boolean, key: unknown, value: unknown): boolean | Failure {
  if (Array.isArray(key)) return listIsInOldSet(isOutside, key, value);
  const text = scalarText(key);
  if (text === undefined) return false;
  const isIn = textIsInOld(text, value);
  return isIn === undefined ? false : isIn !== isOutside;
}

function scalarText(key: unknown): string | undefined {
  const isScalar =
    typeof key === 'string' ||
    typeof key === 'number' ||
    typeof key === 'bigint' ||
    typeof key === 'boolean';
  return isScalar ? formatValue(key) : undefined;
}

function matchesEitherWay(left: string, right: string): boolean {
  return matchesWildcard(right, left) || matchesWildcard(left, right);
}

/** The strings of a JSON list, or undefined for a text that is JSON of another kind. */
function candidatesOf(text: string): readonly string[] | undefined {
  const reading = looksLikeJson(text) ? readJson(text) : undefined;
  return reading === undefined || 'error' in reading ? [text] : stringsOf(reading.value);
}

const jsonScalar =
  /^[ \t\n\r]*(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)[ \t\n\r]*$/;
const jsonEnclosed =
  /^[ \t\n\r]*(?:\[[\s\S]*\]|\{[ \t\n\r]*(?:\}|"[\s\S]*\})|"[\s\S]*")[ \t\n\r]*$/;

/** Whether a text may be JSON; to find that out by failing to read it takes far longer. */
function looksLikeJson(text: string): boolean {
  return jsonScalar.test(text) || jsonEnclosed.test(text);
}

function stringsOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  if (!value.every((item) => item === null || typeof item === 'string')) return undefined;
  return value.map((item) => (item === null ? '' : String(item)));
}

function textIsIn(key: string, value: unknown): boolean | undefined {
  if (Array.isArray(value)) return value.some((item) => matchesEitherWay(key, formatValue(item)));
  if (typeof value !== 'string') return undefined;
  if (matchesWildcard(value, key)) return true;
  if (operatorOf(value) === '-') return satisfies(key, value);
  return candidatesOf(value)?.includes(key);
}

function listIsInSet(operator: SetOperator, keys: readonly string[], value: unknown): boolean {
  if (Array.isArray(value)) return keysAreIn(operator, keys, value.map(formatValue));
  if (typeof value !== 'string') {
    const text = operator === 'anyin' || operator === 'anynotin' ? scalarText(value) : undefined;
    return text !== undefined && keysAreIn(operator, keys, [text]);
  }
  if (keys.length === 1 && keys[0] === value) return !isNegated(operator);
  if (operatorOf(value) === '-') return keysAreInRange(operator, keys, value);
  const candidates = candidatesOf(value);
  return candidates !== undefined && keysAreIn(operator, keys, candidates);
}

function keysAreInRange(operator: SetOperator, keys: readonly string[], range: string): boolean {
  if (operator !== 'anynotin') return keysHold(operator, keys, (key) => satisfies(key, range));
  const outside = range.replace('-', '!-');
  return keys.some((key) => satisfies(key, outside));
}

function keysAreIn(
  operator: SetOperator,
  keys: readonly string[],
  set: readonly string[],
): boolean {
  return keysHold(operator, keys, (key) => set.some((item) => matchesEitherWay(key, item)));
}

function keysHold(
  operator: SetOperator,
  keys: readonly string[],
  isIn: (key: string) => boolean,
): boolean {
  const asksAll = operator === 'allin' || operator === 'anynotin';
  return (asksAll ? keys.every(isIn) : keys.some(isIn)) !== isNegated(operator);
}

function textIsInOld(key: string, value: unknown): boolean | undefined {
  if (Array.isArray(value)) return value.some((item) => matchesEitherWay(key, formatValue(item)));
  if (typeof value !== 'string') return undefined;
  if (matchesWildcard(value, key)) return true;
  return jsonStringsOf(value)?.includes(key);
}

function jsonStringsOf(text: string): readonly string[] | undefined {
  const reading = looksLikeJson(text) ? readJson(text) : undefined;
  return reading === undefined || 'error' in reading ? undefined : stringsOf(reading.value);
}

function listIsInOldSet(
  isOutside: boolean,
  keys: readonly unknown[],
  value: unknown,
): boolean | Failure {
  if (!keys.every((key) => typeof key === 'string')) {
    const operator = isOutside ? 'NotIn' : 'In';
    const found = describeValue(keys.find((key) => typeof key !== 'string'));
    return new Failure(
      `Kyverno panics: the key of \`${operator}\` is a list that contains ${found}, and only strings are supported; use \`AllIn\` or \`AnyNotIn\``,
    );
  }
  if (typeof value === 'string') {
    if (keys.length === 1 && keys[0] === value) return true;
    const strings = jsonStringsOf(value);
    return strings !== undefined && keys.every((key) => strings.includes(key)) !== isOutside;
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return false;
  return keys.every((key) => value.includes(key)) !== isOutside;
}
