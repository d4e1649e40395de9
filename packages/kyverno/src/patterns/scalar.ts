import { isObject } from '@kubeadmit/apimachinery';
import { compareQuantities, quantityOf } from '@kubeadmit/apimachinery/quantity';
import {
  formatFloat64Fixed,
  formatFloat64Scientific,
  parseFloat64,
  parseInt64,
  trimLeft,
  trimRight,
  truncateToInt64,
} from '@kubeadmit/go';
import { matchesWildcard } from '../match/wildcard.ts';
import { durationOf } from './durations.ts';
import { operatorOf, type PatternOperator, rangeEnds } from './operator.ts';

/** Whether a value satisfies a scalar of a pattern (Kyverno's `pkg/engine/pattern`). */
export type ScalarTest = (value: unknown) => boolean;

/** Whether a value satisfies a scalar of a pattern that is used only once. */
export function satisfies(value: unknown, pattern: unknown): boolean {
  return compileScalar(pattern)(value);
}

/** Reads a scalar of a pattern. */
export function compileScalar(pattern: unknown): ScalarTest {
  switch (typeof pattern) {
    case 'string':
      return compileText(pattern);
    case 'boolean':
      return (value) => value === pattern;
    case 'bigint':
      return (value) => isInteger(value, pattern);
    case 'number':
      return (value) => isFloat(value, pattern);
    default:
      return pattern === null ? isEmpty : (value) => isObject(pattern) && isObject(value);
  }
}

/** Whether a value is an integer, or its text. */
export function isInteger(value: unknown, pattern: bigint): boolean {
  if (typeof value === 'bigint') return value === pattern;
  if (typeof value === 'number')
    return value === Math.trunc(value) && truncateToInt64(value) === pattern;
  return typeof value === 'string' && parseInt64(value) === pattern;
}

/** Whether a value is a number, or its text. */
export function isFloat(value: unknown, pattern: number): boolean {
  if (typeof value === 'bigint')
    return pattern === Math.trunc(pattern) && truncateToInt64(pattern) === value;
  if (typeof value === 'number') return value === pattern;
  return typeof value === 'string' && parseFloat64(value) === pattern;
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

/** Choices between `|`, each of parts between `&` that must all hold. */
function compileText(pattern: string): ScalarTest {
  if (!pattern.includes('|') && !pattern.includes('&')) {
    const test = compileOne(trimSpaces(pattern));
    return (value) => value === pattern || test(value);
  }
  const choices = pattern.split('|').map((choice) =>
    trimSpaces(choice)
      .split('&')
      .map((part) => compileOne(trimSpaces(part))),
  );
  return (value) =>
    value === pattern || choices.some((parts) => parts.every((test) => test(value)));
}

function trimSpaces(text: string): string {
  return trimLeft(trimRight(text, ' '), ' ');
}

function compileOne(pattern: string): ScalarTest {
  const operator = operatorOf(pattern);
  if (operator !== '-' && operator !== '!-') {
    return compileComparison(operator, pattern.slice(operator.length).trim());
  }
  const [low, high] = rangeEnds(pattern, operator);
  if (operator === '-') {
    const isAbove = compileComparison('>=', low);
    const isBelow = compileComparison('<=', high);
    return (value) => isAbove(value) && isBelow(value);
  }
  const isBelow = compileComparison('<', low);
  const isAbove = compileComparison('>', high);
  return (value) => isBelow(value) || isAbove(value);
}

type Comparison = Exclude<PatternOperator, '-' | '!-'>;

/** Compares as durations, else as quantities, else as text; a missing value is 0 for the first two. */
function compileComparison(operator: Comparison, operand: string): ScalarTest {
  const matchesText = compileTextComparison(operator, operand);
  const duration = durationOf(operand);
  const quantity = quantityOf(operand);
  if (duration === undefined && quantity === undefined) return matchesText;
  const isOrdered = orderTests[operator];
  return (value) => {
    const text = numberText(value);
    const valueDuration =
      duration === undefined || text === undefined ? undefined : durationOf(text);
    if (duration !== undefined && valueDuration !== undefined) {
      const order = valueDuration < duration ? -1 : valueDuration > duration ? 1 : 0;
      return isOrdered(order);
    }
    const valueQuantity =
      quantity === undefined || text === undefined ? undefined : quantityOf(text);
    if (quantity !== undefined && valueQuantity !== undefined) {
      return isOrdered(compareQuantities(valueQuantity, quantity));
    }
    return matchesText(value);
  };
}

function compileTextComparison(operator: Comparison, operand: string): ScalarTest {
  if (operator !== '' && operator !== '!') return () => false;
  const isEqual = operator === '';
  return (value) => {
    const words = typeof value === 'string' ? value : scalarWords(value);
    return words !== undefined && matchesWildcard(operand, words) === isEqual;
  };
}

/** Whether an order, negative, zero or positive, is the one that an operator asks for. */
const orderTests: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '': (order) => order === 0,
  '!': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

function numberText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFloat64Fixed(value, 6);
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
      return formatFloat64Scientific(value).replace('e', 'E');
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}
