import { compareQuantities } from '@kubeadmit/engine';
import { parseDuration } from '../values/duration.ts';
import {
  formatExponent,
  formatFixed,
  parseFloatText,
  parseIntText,
  toInt64,
} from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { isObject } from '../values/value.ts';
import { matchesWildcard } from '../values/wildcard.ts';
import { operatorOf, type PatternOperator, rangeEnds } from './operator.ts';

/** Whether a value satisfies a scalar of a pattern (Kyverno's `pkg/engine/pattern`). */
export function satisfies(value: unknown, pattern: unknown): boolean {
  switch (typeof pattern) {
    case 'string':
      return satisfiesText(value, pattern);
    case 'boolean':
      return value === pattern;
    case 'bigint':
      return isInteger(value, pattern);
    case 'number':
      return isFloat(value, pattern);
    default:
      return pattern === null ? isEmpty(value) : isObject(pattern) && isObject(value);
  }
}

function isInteger(value: unknown, pattern: bigint): boolean {
  if (typeof value === 'bigint') return value === pattern;
  if (typeof value === 'number') return value === Math.trunc(value) && toInt64(value) === pattern;
  return typeof value === 'string' && parseIntText(value) === pattern;
}

function isFloat(value: unknown, pattern: number): boolean {
  if (typeof value === 'bigint')
    return pattern === Math.trunc(pattern) && toInt64(pattern) === value;
  if (typeof value === 'number') return value === pattern;
  return typeof value === 'string' && parseFloatText(value) === pattern;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === 0 ||
    value === 0n ||
    value === '' ||
    value === false
  );
}

function satisfiesText(value: unknown, pattern: string): boolean {
  if (value === pattern) return true;
  if (!pattern.includes('|') && !pattern.includes('&'))
    return satisfiesOne(value, trimSpaces(pattern));
  return pattern.split('|').some((choice) =>
    trimSpaces(choice)
      .split('&')
      .every((part) => satisfiesOne(value, trimSpaces(part))),
  );
}

function trimSpaces(text: string): string {
  return text.startsWith(' ') || text.endsWith(' ') ? text.replace(/^ +| +$/g, '') : text;
}

function satisfiesOne(value: unknown, pattern: string): boolean {
  const operator = operatorOf(pattern);
  if (operator === '-' || operator === '!-') {
    const [low, high] = rangeEnds(pattern, operator);
    return operator === '-'
      ? compares(value, '>=', low) && compares(value, '<=', high)
      : compares(value, '<', low) || compares(value, '>', high);
  }
  return compares(value, operator, pattern.slice(operator.length).trim());
}

type Comparison = Exclude<PatternOperator, '-' | '!-'>;

/** Compares as durations, else as quantities, else as text; a missing value is 0 for the first two. */
function compares(value: unknown, operator: Comparison, operand: string): boolean {
  const text = numberText(value);
  if (text !== undefined) {
    const duration = parseDuration(operand);
    const valueDuration = duration === undefined ? undefined : parseDuration(text);
    if (duration !== undefined && valueDuration !== undefined) {
      return orderSatisfies(
        operator,
        valueDuration < duration ? -1 : valueDuration > duration ? 1 : 0,
      );
    }
    const quantity = parseQuantity(operand);
    const valueQuantity = quantity === undefined ? undefined : parseQuantity(text);
    if (quantity !== undefined && valueQuantity !== undefined) {
      return orderSatisfies(operator, compareQuantities(valueQuantity, quantity));
    }
  }
  if (operator !== '' && operator !== '!') return false;
  const words = scalarWords(value);
  return words !== undefined && matchesWildcard(operand, words) === (operator === '');
}

function orderSatisfies(operator: Comparison, order: number): boolean {
  switch (operator) {
    case '':
      return order === 0;
    case '!':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

function numberText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFixed(value);
    case 'bigint':
      return String(value);
    default:
      return value === null || value === undefined ? '0' : undefined;
  }
}

function scalarWords(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatExponent(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}
