import { parseDuration } from '@kubeadmit/go';
import { hasWildcard, operatorOf } from '@kubeadmit/kyverno/patterns';
import type { Shape } from '@kubeadmit/schemas/types';
import { comparison, shapeOfJson } from '../cel/comparable.ts';
import { literal } from '../cel/literal.ts';
import { stringShape } from '../cel/shapes.ts';
import {
  all,
  any,
  apply,
  binding,
  call,
  choice,
  member,
  never,
  not,
  operand,
  relation,
  type Term,
} from '../cel/term.ts';
import {
  computedWildcardTest,
  holdsWildcard,
  oneOf,
  someWildcardTest,
  wildcardTest,
} from '../cel/wildcard.ts';
import { mayHoldWildcards } from '../jmespath/possible-strings.ts';
import { keyPresence, listOrEmpty, shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { isAmount, valueSatisfies } from '../pattern/scalar.ts';
import { looksLikeJson, stringsOfJson } from './json-text.ts';
import { constantOutcome } from './known-outcome.ts';

/** Whether a value is a list, wherever it comes from. */
export function isList(value: Value): boolean {
  const isLiteral = value.kind === 'literal' && Array.isArray(value.value);
  return isLiteral || value.kind === 'projection' || shapeOf(value)?.kind === 'list';
}

/** Whether a value is a text, a number or a truth. */
export function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The test whether a value is a text when it is evaluated. */
export function isOfText(value: Term): Term {
  return relation(apply('type', value), '==', member('string'));
}

/** A list is compared with a text as with a list of it, unless the text is a range or a list in JSON. */
export function ofList(key: Value, set: Value): Value {
  const isText = set.kind === 'literal' && typeof set.value === 'string';
  const isOne =
    isText && !/^\s*[[{"]|^\s*[\d.]+\w*\s*-|^(?:true|false|null)$/.test(String(set.value));
  return isList(key) && isOne ? { kind: 'literal', value: [set.value] } : set;
}

/** Numbers in texts are seconds, their fraction dropped. */
export function withSeconds(
  test: Term,
  { key, order, value }: { readonly key: Value; readonly order: string; readonly value: Value },
): Term {
  if (!/\bduration\(/.test(test.text) || value.kind !== 'literal') return test;
  const limit = parseDuration(String(value.value));
  if (typeof limit !== 'bigint') return test;
  const number = apply('int', apply('double', termOf(key)));
  const seconds = Number(limit) / 1e9;
  const compared = Number.isInteger(seconds)
    ? relation(number, order, literal(seconds))
    : relation(apply('double', number), order, literal(seconds));
  return any([test, all([call(termOf(key), 'matches', literal(plainNumber)), compared])]);
}

// As large as can be a whole number.
const plainNumber = '^[+-]?(\\d{1,9}([.]\\d*)?|[.]\\d+)([eE][+-]?\\d)?$';

function isKeysOfMap(value: Value): boolean {
  return value.kind === 'term' && /.\.map\(key, key\)$/.test(value.term.text);
}

/** Whether two values are the same, as `Equals` of Kyverno sees it. */
export function equals(key: Value, value: Value): Term {
  const isText = shapeOf(key)?.kind === 'string';
  // A string never equals a list.
  if (isText && value.kind === 'literal' && Array.isArray(value.value)) return never;
  if (key.kind === 'projection') {
    if (value.kind !== 'literal' || !Array.isArray(value.value)) {
      throw new Unsupported('a list is compared with a value that is not a list');
    }
    return relation(termOf(key), '==', literal(value.value));
  }
  if (value.kind !== 'literal') return comparison(typed(key), '==', typed(value));
  const shape = shapeOf(key);
  if (typeof value.value === 'boolean') {
    const term = termOf(key);
    return shape?.kind === 'bool'
      ? value.value
        ? term
        : not(term)
      : equalsLiteral(term, shape, value.value);
  }
  if (typeof value.value !== 'string') return equalsLiteral(termOf(key), shape, value.value);
  return textEquals(termOf(key), shape, value.value);
}

function typed(value: Value): { readonly term: Term; readonly shape: Shape | undefined } {
  return { term: termOf(value), shape: shapeOf(value) };
}

function equalsLiteral(term: Term, shape: Shape | undefined, value: unknown): Term {
  const wanted = { term: literal(value), shape: shapeOfJson(value) };
  return comparison({ term, shape }, '==', wanted);
}

function textEquals(key: Term, shape: Shape | undefined, text: string): Term {
  if (text === '') return equalsLiteral(key, shape, '');
  // A quantity is compared with quantities alone.
  if (shape?.kind === 'quantity' && !isAmount(text)) return never;
  if (shape?.kind !== 'string') {
    if (/[|&]/.test(text) || /^[<>!]/.test(text)) return wildcardTest(key, text);
    return valueSatisfies(key, shape, text);
  }
  if (isAmount(text)) return valueSatisfies(key, shape, text);
  const fits = wildcardTest(key, text);
  // A key that is a quantity is compared with quantities alone.
  const mayBeQuantity = hasWildcard(text) && /^[\d+\-.eEinumkKMGTP*?]*$/.test(text);
  return mayBeQuantity ? all([not(apply('isQuantity', key)), fits]) : fits;
}

/** A placeholder in a set for a `*` in the object, as opposed to a wildcard of the rule. */
const plainStar = '\u0000*';

/** Kyverno matches wildcards of both sides: a `*` among the verbs of a role is every verb. */
export function withStar(key: Value, set: Value): Value {
  if (!isList(key) || isOfNames(key)) return set;
  if (set.kind !== 'literal' || !Array.isArray(set.value)) return set;
  const hasTexts = set.value.every((each) => typeof each === 'string' && each !== '*');
  return hasTexts ? { kind: 'literal', value: [...set.value, plainStar] } : set;
}

function isOfNames(value: Value): boolean {
  if (value.kind === 'projection') return isOfNames(value.item);
  return value.kind === 'term' && (value.isName === true || value.keysOf !== undefined);
}

/** How the set of a condition is read. */
export interface SetOptions {
  /** Whether values of the object are patterns with wildcards. */
  readonly isWild: boolean;
  /** Whether a string such as `1-10` is a range; not for the old operators `In` and `NotIn`. */
  readonly hasRanges: boolean;
}

/** Whether a value is in a list or string. */
export function isIn(item: Value, set: Value, { isWild, hasRanges }: SetOptions): Term {
  if (set.kind === 'literal') {
    const { value } = set;
    return typeof value === 'string'
      ? isInText(asString(item), value, hasRanges)
      : isInLiteral(item, value);
  }
  if (set.kind === 'projection' || shapeOf(set)?.kind === 'list') {
    const list = set.kind === 'projection' ? listOrEmpty(set) : termOf(set);
    const element = set.kind === 'projection' ? shapeOf(set.item) : shapeOf(set)?.element;
    if (element?.kind === 'bool') {
      if (item.kind !== 'literal') return relation(termOf(item), 'in', list);
      const text = String(item.value);
      return text === 'true' || text === 'false' ? relation(member(text), 'in', list) : never;
    }
    const hasKey = keyPresence(item, set);
    if (hasKey !== undefined) return hasKey;
    const isListed = relation(asString(item), 'in', list);
    if (isKeysOfMap(set) || (!isWild && !mayHoldWildcards(set))) return isListed;
    if (!isWild) return any([isListed, relation(literal('*'), 'in', list)]);
    const pattern = member('pattern');
    const own = element === undefined ? [isOfText(pattern)] : [];
    const test = computedWildcardTest(asString(item), pattern);
    return any([
      isListed,
      call(list, 'exists', pattern, all([...own, holdsWildcard(pattern), test])),
    ]);
  }
  const term = operand(termOf(set), binding.relation);
  // Nothing is in null, and nothing out of it either.
  if (term.endsWith('.orValue(null)')) throw new Unsupported('a set that may be null');
  // A text of a ConfigMap may be a list in JSON.
  if (/^params\.\??data\b/.test(term)) {
    const texts = `${term}.findAll('"[^"]*"')`;
    const isListed = `'"' + ${operand(asString(item), binding.sum)} + '"' in ${texts}`;
    return any([
      relation(asString(item), '==', member(term)),
      ...(isWild ? [computedWildcardTest(asString(item), member(term))] : []),
      { text: isListed, binds: binding.relation },
    ]);
  }
  if (shapeOf(set)?.kind === 'string') {
    const isSame = relation(asString(item), '==', termOf(set));
    if (!isWild) return isSame;
    const test = computedWildcardTest(asString(item), termOf(set));
    return any([isSame, all([holdsWildcard(termOf(set)), test])]);
  }
  return choice(
    isOfText(member(term)),
    relation(asString(item), '==', member(term)),
    relation(asString(item), 'in', member(term)),
  );
}

function isInLiteral(item: Value, set: unknown): Term {
  if (!Array.isArray(set)) return relation(termOf(item), '==', literal(set));
  const shape = shapeOf(item);
  if (shape?.kind === 'bool') {
    const wanted = [true, false].filter((each) => constantOutcome('AnyIn', each, set));
    return any(wanted.map((each) => relation(termOf(item), '==', literal(each))));
  }
  if (shape?.kind === 'int32' || shape?.kind === 'int64') {
    const areNumbers = set.every((each) => /^-?\d+$/.test(String(each)));
    const numbers = set.map(Number);
    if (areNumbers && numbers.every(Number.isInteger)) return oneOf(termOf(item), numbers);
  }
  const texts = set.map(String);
  const patterns = texts.filter((each) => each !== plainStar && hasWildcard(each));
  const plain = texts
    .filter((each) => !patterns.includes(each))
    .map((each) => (each === plainStar ? '*' : each));
  const term = asString(item);
  return any([
    ...(plain.length === 0 ? [] : [oneOf(term, plain)]),
    ...someWildcardTest(term, patterns),
  ]);
}

// A text is a pattern with wildcards, a range, or a list in JSON.
function isInText(item: Term, set: string, hasRanges: boolean): Term {
  const fits = wildcardTest(item, set);
  if (hasRanges && operatorOf(set) === '-')
    return any([fits, valueSatisfies(item, stringShape, set)]);
  const strings = looksLikeJson(set) ? stringsOfJson(set) : [];
  return any([fits, ...(strings === undefined ? [] : [oneOf(item, strings)])]);
}

/** Whether a text as a set is undecided for values that it does not match, so that no value is outside of it either. */
export function isOpenText(set: Value): boolean {
  if (set.kind !== 'literal' || typeof set.value !== 'string') return false;
  return looksLikeJson(set.value) && stringsOfJson(set.value) === undefined;
}

/** A value as Kyverno writes it into a text. */
export function asString(value: Value): Term {
  const term = termOf(value);
  switch (shapeOf(value)?.kind) {
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intorstring':
      return apply('string', term);
    default:
      return term;
  }
}
