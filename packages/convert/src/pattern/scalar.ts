import { quantityOf } from '@kubeadmit/apimachinery/quantity';
import { trimLeft, trimRight } from '@kubeadmit/go';
import { hasWildcard, operatorOf, rangeEnds, satisfies } from '@kubeadmit/kyverno/patterns';
import type { Shape } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import {
  all,
  always,
  any,
  apply,
  call,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { isString, oneOf, wildcardTest } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * Whether the value of a place satisfies a scalar of a pattern (Kyverno's `pkg/engine/pattern`).
 *
 * A place that is absent counts as null there, so that `<10` and `null` hold for it and `>=0` does, too.
 */
export function placeSatisfies(place: Path, pattern: unknown): Term {
  const { shape } = place.known;
  const holdsWhenAbsent = satisfies(null, pattern);
  const wanted = shape?.kind === 'bool' ? booleanOf(pattern) : undefined;
  if (wanted !== undefined) {
    const value = place.orValue(literal(!wanted));
    return wanted ? value : not(value);
  }
  if (place.isSure) return valueSatisfies(place.term, shape, pattern);
  const test = valueSatisfies(place.term, shape, pattern);
  return holdsWhenAbsent ? any([not(place.presence), test]) : all([place.presence, test]);
}

/** The boolean that a pattern asks for, as itself or as a text; `undefined` for other patterns. */
export function booleanOf(pattern: unknown): boolean | undefined {
  if (pattern === true || pattern === 'true') return true;
  return pattern === false || pattern === 'false' ? false : undefined;
}

/** Whether a value that is there satisfies a scalar of a pattern; of a list, whether every element does. */
export function valueSatisfies(value: Term, shape: Shape | undefined, pattern: unknown): Term {
  if (shape?.kind === 'list') {
    const element = valueSatisfies(member('item'), shape.element, pattern);
    return element.text === always.text ? always : call(value, 'all', member('item'), element);
  }
  // No scalar holds for a map, not even `*`.
  if (shape?.kind === 'map' || shape?.kind === 'struct') return never;
  switch (typeof pattern) {
    case 'string':
      return textSatisfies(value, shape, pattern);
    case 'boolean':
      if (shape !== undefined && !['bool', 'any', 'intorstring'].includes(shape.kind)) {
        throw new Unsupported(
          `\`${pattern}\` in a pattern for a field that is not a boolean never matches`,
          `write it as a string: "${pattern}"`,
        );
      }
      return relation(value, '==', literal(pattern));
    case 'number':
    case 'bigint':
      return numberSatisfies(value, shape, pattern);
    default:
      if (pattern === null) return relation(value, 'in', emptyValues(shape));
      throw new Unsupported('a pattern that is a list or map where the kind has a plain value');
  }
}

function emptyValues(shape: Shape | undefined): Term {
  switch (shape?.kind) {
    case 'string':
      return literal(['']);
    case 'bool':
      return literal([false]);
    case 'int32':
    case 'int64':
      return literal([0]);
    default:
      return literal([null, 0, '', false]);
  }
}

function numberSatisfies(value: Term, shape: Shape | undefined, pattern: number | bigint): Term {
  const isNumber = relation(value, '==', literal(pattern));
  switch (shape?.kind) {
    case 'int32':
    case 'int64':
    case 'float64':
      return isNumber;
    case 'string':
    case 'quantity':
      // An empty text is zero to Kyverno.
      return oneOf(
        value,
        ['', String(pattern)].filter((text) => satisfies(text, pattern)),
      );
    default:
      return any([isNumber, relation(value, '==', literal(String(pattern)))]);
  }
}

/** Choices between `|`, each of parts between `&` that must all hold. */
function textSatisfies(value: Term, shape: Shape | undefined, pattern: string): Term {
  const choices = pattern
    .split('|')
    .map((choice) => choice.split('&').map((part) => trimLeft(trimRight(part, ' '), ' ')));
  const plain = choices.filter(isPlainChoice).map(([part = '']) => part);
  if (plain.length > 1 && shape?.kind === 'string') {
    const others = choices.filter((choice) => !isPlainChoice(choice));
    return any([oneOf(value, plain), ...others.map((parts) => allParts(value, shape, parts))]);
  }
  return any(choices.map((parts) => allParts(value, shape, parts)));
}

function isPlainChoice(parts: readonly string[]): boolean {
  const [part = ''] = parts;
  const isPlain = operatorOf(part) === '' && !hasWildcard(part) && !isAmount(part);
  return parts.length === 1 && isPlain;
}

function allParts(value: Term, shape: Shape | undefined, parts: readonly string[]): Term {
  return all(parts.map((part) => partSatisfies(value, shape, part)));
}

function partSatisfies(value: Term, shape: Shape | undefined, part: string): Term {
  const operator = operatorOf(part);
  if (operator === '-' || operator === '!-') {
    const [low, high] = rangeEnds(part, operator);
    return operator === '-'
      ? all([compares(value, shape, '>=', low), compares(value, shape, '<=', high)])
      : any([compares(value, shape, '<', low), compares(value, shape, '>', high)]);
  }
  const operand = part.slice(operator.length).trim();
  if (operator === '') return equals(value, shape, operand);
  if (operator === '!') return not(equals(value, shape, operand));
  return compares(value, shape, operator, operand);
}

function equals(value: Term, shape: Shape | undefined, operand: string): Term {
  if (isAmount(operand)) return compares(value, shape, '==', operand);
  switch (shape?.kind) {
    case 'string':
    case 'quantity':
    case 'time':
    case 'bytes':
      return wildcardTest(value, operand);
    case 'bool':
    case 'int32':
    case 'int64':
      return hasWildcard(operand)
        ? wildcardTest(apply('string', value), operand)
        : oneOf(apply('string', value), [operand]);
    case 'intorstring':
    case undefined: {
      const test = wildcardTest(value, operand);
      if (test.text === always.text) return always;
      return hasWildcard(operand) ? all([isString(value), test]) : test;
    }
    default:
      throw new Unsupported(`a string pattern for a value of the type ${shape?.go ?? 'unknown'}`);
  }
}

const formatSeconds = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h)(?:.*)$/;

// The syntax of Go's ParseDuration, except a plain 0.
const durationPattern = '^[+-]?((\\d+[.]?\\d*|[.]\\d+)(ns|us|µs|ms|s|m|h))+$';

/** Whether Kyverno compares with a text by its amount: a quantity or a duration. */
export function isAmount(text: string): boolean {
  return isQuantity(text) || formatSeconds.test(text);
}

function isQuantity(text: string): boolean {
  return quantityOf(text) !== undefined;
}

function compares(value: Term, shape: Shape | undefined, operator: string, operand: string): Term {
  if (isWholeNumber(operand) && (shape?.kind === 'int32' || shape?.kind === 'int64')) {
    return relation(value, operator, member(String(Number(operand))));
  }
  if (isQuantity(operand)) {
    if (formatSeconds.test(operand) && shape?.kind !== 'quantity') {
      throw new Unsupported(`\`${operand}\` is both a duration and a quantity for Kyverno`);
    }
    return quantityCompares(value, shape, operator, operand);
  }
  if (formatSeconds.test(operand) && (shape?.kind === 'string' || shape?.kind === 'quantity')) {
    const isDuration = call(value, 'matches', literal(durationPattern));
    const order = relation(apply('duration', value), operator, apply('duration', literal(operand)));
    return all([isDuration, order]);
  }
  if (operator === '==') return relation(value, '==', literal(operand));
  return never;
}

function quantityCompares(
  value: Term,
  shape: Shape | undefined,
  operator: string,
  operand: string,
): Term {
  const text =
    shape?.kind === 'string' || shape?.kind === 'quantity' ? value : apply('string', value);
  const amount = call(apply('quantity', text), 'compareTo', apply('quantity', literal(operand)));
  const compared = relation(amount, operator, literal(0));
  if (shape?.kind === 'quantity') return compared;
  // A string that is not a quantity is compared as a string, which only equality supports.
  const otherwise = operator === '==' ? relation(text, '==', literal(operand)) : never;
  const isComparable = apply('isQuantity', text);
  return otherwise.text === never.text
    ? all([isComparable, compared])
    : any([otherwise, all([isComparable, compared])]);
}

function isWholeNumber(text: string): boolean {
  return /^[+-]?\d{1,15}$/.test(text);
}
