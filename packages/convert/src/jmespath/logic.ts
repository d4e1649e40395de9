import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { comparison, shapeOfJson } from '../cel/comparable.ts';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import { boolShape } from '../cel/shapes.ts';
import {
  all,
  always,
  any,
  apply,
  choice,
  isConstant,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { isOfOtherType } from './defaults.ts';
import {
  chosen,
  endsWhereAbsent,
  isTrue,
  isTruthy,
  leniently,
  mayBeAbsent,
  presenceOf,
  shapeOf,
  termOf,
  termOr,
  type Value,
} from './value.ts';

/** `left || right`: the first value where JMESPath takes it for true, else the second one. */
export function eitherOf(left: Value, right: Value): Value {
  if (left.kind === 'literal') return isTruthy(left.value) ? left : orNull(right);
  if (termOf(left).text === 'request.operation') return left;
  if (right.kind === 'literal') return withDefault(left, right);
  if ([left, right].every((each) => shapeOf(each)?.kind === 'bool')) {
    const isEither =
      ending(left).mayEnd === true
        ? chosen(isTrue(left), always, isTrue(right))
        : any([isTrue(left), isTrue(right)]);
    return { ...truth(isEither), ...ending(left), ...ending(right) };
  }
  if (left.kind === 'path' && right.kind === 'path') return eitherPath(left, right.path);
  throw new Unsupported('a choice between two computed values');
}

function withDefault(left: Value, right: Extract<Value, { kind: 'literal' }>): Value {
  // A default with wildcards is a pattern, which no value of the object is.
  const isWild = hasWildcard(String(right.value));
  if (isWild || isOfOtherType(left, right.value)) {
    const test = isTrue(left);
    return { kind: 'choice', test, whenTrue: truthyOf(left), whenFalse: right, ...ending(left) };
  }
  // If an empty value equals the default, only absence matters.
  if (!isTruthy(right.value)) {
    if (left.kind === 'projection') return leniently(left);
    const shape = shapeOf(left);
    const empty = shape?.kind === 'list' ? [] : shape?.kind === 'map' ? {} : right.value;
    const otherwise = literal(empty);
    if (left.kind === 'term' && left.absence !== undefined) {
      const term =
        left.optional === undefined
          ? choice(not(left.absence), left.term, otherwise)
          : member(`${left.optional.text}.orValue(${otherwise.text})`);
      return { kind: 'term', term, shape, ...ending(left) };
    }
    return { kind: 'term', term: termOr(left, otherwise), shape, ...ending(left) };
  }
  const term = choice(isTrue(left), termOf(left), termOf(right));
  return { kind: 'term', term, shape: shapeOf(left), ...ending(left) };
}

/** `left && right`: the first value where JMESPath takes it for false, else the second one. */
export function bothOf(left: Value, right: Value): Value {
  if (left.kind === 'literal') return isTruthy(left.value) ? right : left;
  const mayEnd = ending(left).mayEnd === true;
  const both = mayEnd
    ? chosen(isTrue(left), isTrue(right), never)
    : all([isTrue(left), isTrue(right)]);
  if ([left, right].every(isTruthValue)) {
    return { ...truth(both), ...ending(left), ...ending(right) };
  }
  const [whenTrue, whenFalse] = [right, orNull(left)];
  return {
    kind: 'choice',
    test: isTrue(left),
    whenTrue,
    whenFalse,
    truth: both,
    ...ending(left),
  };
}

/** `!value`. */
export function notOf(value: Value): Value {
  return { ...truth(not(isTrue(value))), ...ending(value) };
}

/** A comparison by one of JMESPath's operators, such as `tEQ`. */
export function comparisonOf(operator: string, left: Value, right: Value): Value {
  const ends = { ...ending(left), ...ending(right) };
  const test = compared(operator, left, right);
  if (ends.mayEnd && (isConstant(test) || test.joined !== undefined)) {
    throw new Unsupported('a comparison that may end in an error with a value that may be absent');
  }
  return { ...truth(test), ...ends };
}

function compared(operator: string, left: Value, right: Value): Term {
  const symbol = symbols[operator] ?? operator;
  // An absent value equals only another absent value.
  if (left.kind === 'path' && right.kind === 'path' && /[!=]=/.test(symbol)) {
    const one = { term: optionalOf(left.path), shape: shapeOf(left) };
    const other = { term: optionalOf(right.path), shape: shapeOf(right) };
    return comparison(one, symbol, other);
  }
  const made = /[!=]=/.test(symbol)
    ? comparison(typed(left), symbol, typed(right))
    : relation(termOf(left), symbol, termOf(right));
  const presences = [left, right].map(presenceOf);
  return symbol === '!=' ? any([...presences.map(not), made]) : all([...presences, made]);
}

const symbols: Readonly<Record<string, string>> = {
  tEQ: '==',
  tNE: '!=',
  tLT: '<',
  tLTE: '<=',
  tGT: '>',
  tGTE: '>=',
};

// A required value ends the evaluation where it is absent, also before a default.
function ending(value: Value): { readonly mayEnd?: true } {
  const isRequired = value.kind === 'path' ? value.path.isSure : true;
  return isRequired && endsWhereAbsent(value) ? { mayEnd: true } : {};
}

// A place, or another one that may be absent as well; then it is null.
function eitherPath(left: Value, right: Path): Value {
  const shape = right.known.shape;
  const there: Value = { kind: 'term', term: right.term, shape };
  const whenFalse: Value = mayBeAbsent(right)
    ? {
        kind: 'choice',
        test: right.presence,
        whenTrue: there,
        whenFalse: { kind: 'literal', value: null },
      }
    : there;
  const test = isTrue(left);
  return { kind: 'choice', test, whenTrue: truthyOf(left), whenFalse, ...ending(left) };
}

// The value where it is known to be there.
function truthyOf(value: Value): Value {
  if (value.kind === 'projection') return leniently(value);
  if (value.kind === 'path') {
    return { kind: 'term', term: value.path.term, shape: value.path.known.shape };
  }
  if (value.kind !== 'term') return value;
  const { absence: _, mayEnd: _end, ...rest } = value;
  return rest;
}

// The value, and null where it is absent.
function orNull(value: Value): Value {
  if (value.kind === 'choice') {
    const { whenTrue, whenFalse } = value;
    return { ...value, whenTrue: orNull(whenTrue), whenFalse: orNull(whenFalse) };
  }
  if (value.kind !== 'path' || value.path.isSure) return truthyOf(value);
  const whenFalse: Value = { kind: 'literal', value: null };
  return { kind: 'choice', test: value.path.presence, whenTrue: truthyOf(value), whenFalse };
}

// Whether a value is true or false, and never null.
function isTruthValue(value: Value): boolean {
  return value.kind === 'term' && value.shape?.kind === 'bool' && value.absence === undefined;
}

function typed(value: Value): Parameters<typeof comparison>[0] {
  const shape = value.kind === 'literal' ? shapeOfJson(value.value) : shapeOf(value);
  return { term: termOf(value), shape };
}

function optionalOf(path: Path): Term {
  return path.isSure ? apply('optional.of', path.term) : member(path.optional);
}

function truth(term: Term): Extract<Value, { kind: 'term' }> {
  return { kind: 'term', term, shape: boolShape };
}
