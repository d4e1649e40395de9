import { isObject } from '@kubeadmit/apimachinery';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import type { Shape } from '@kubeadmit/schemas/types';
import { all, always, any, isConstant, never, not, type Term } from '../cel/term.ts';
import { mayHoldWildcards } from '../jmespath/possible-strings.ts';
import { endsWhereAbsent, isRead, shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { durationTest } from './duration.ts';
import { isList } from './equality.ts';
import { constantOutcome, type KeyType, orders, outcomeByType } from './known-outcome.ts';

/** The test of a duration operator with a constant limit. */
export function durationOutcome(operator: string, key: Value, value: Value): Term | undefined {
  const order = operator.startsWith('Duration') ? orders.get(operator) : undefined;
  if (order === undefined || key.kind === 'literal' || value.kind !== 'literal') return undefined;
  return durationTest(key, order, value.value) ?? constantTest(key, false);
}

// Whether an operator looks for its key in a set: `AnyIn`, `NotIn`.
function isOfSet(operator: string): boolean {
  return /in$/i.test(operator);
}

/** The test of a condition whose outcome follows from constants and types alone; undefined for others. */
export function knownTest(operator: string, key: Value, value: Value): Term | undefined {
  refuseObjectsInSets(operator, key);
  refuseListsWithoutStrings(operator, key);
  if (key.kind === 'literal' && value.kind === 'literal') {
    return truthOf(constantOutcome(operator, key.value, value.value));
  }
  if (value.kind === 'literal') {
    const { value: constant } = value;
    if (shapeOf(key)?.kind === 'bool') {
      return byBoolean(key, (each) => constantOutcome(operator, each, constant));
    }
    const type = typeOfKey(key);
    const outcome = type && outcomeByType(operator, type, constant);
    return outcome === undefined ? undefined : constantTest(key, outcome);
  }
  if (key.kind === 'literal') {
    const { value: constant } = key;
    if (isOfSet(operator) && (constant === null || isObject(constant))) return never;
    if (shapeOf(value)?.kind === 'bool') {
      return byBoolean(value, (each) => constantOutcome(operator, constant, each));
    }
    refuseOtherTypes(operator, constant, value);
  } else refuseUnlike(operator, key, value);
  refuseTextAsSet(operator, value);
  return undefined;
}

// Kyverno reads a text as JSON where it looks for something in it.
function refuseTextAsSet(operator: string, value: Value): void {
  const isText = value.kind !== 'literal' && !isList(value) && shapeOf(value)?.kind === 'string';
  if (!isText || !isOfSet(operator) || /^params\.\??data\b/.test(termOf(value).text)) return;
  if (mayHoldWildcards(value)) {
    throw new Unsupported(
      'a string of the object is used as a set, which Kyverno may read as JSON',
    );
  }
}

// Two fields are compared only if their types are known and compatible; otherwise the result is unknown.
function refuseUnlike(operator: string, key: Value, value: Value): void {
  const areBooleans = [key, value].map((each) => shapeOf(each)?.kind === 'bool');
  if (areBooleans.includes(true) && (areBooleans.includes(false) || isOfSet(operator))) {
    throw new Unsupported('a boolean is compared with a field of another type');
  }
  const [one, other] = [typeOfKey(key), typeOfKey(value)];
  if (one === undefined || other === undefined) return;
  const isKnown = isOfSet(operator)
    ? (one === 'text' || one === 'list') && (other === 'list' || other === 'text')
    : one === other;
  if (!isKnown) throw new Unsupported('two fields of different types are compared');
}

// Kyverno looks for the text that Go prints of an object.
function refuseObjectsInSets(operator: string, key: Value): void {
  if (!isOfSet(operator) || !isList(key)) return;
  if (['struct', 'map', 'list'].includes(elementKind(key))) {
    throw new Unsupported('a list of objects in a condition', 'compare a field of each element');
  }
}

// Kyverno panics at such a list, whatever the other operand is.
function refuseListsWithoutStrings(operator: string, key: Value): void {
  if (!/^(?:not)?in$/i.test(operator) || !isList(key)) return;
  if (['bool', 'int32', 'int64', 'float64'].includes(elementKind(key))) {
    throw new Unsupported(
      'Kyverno fails to evaluate `In` and `NotIn` for a list of other values than strings',
      'use `AllIn` or `AnyNotIn`',
    );
  }
}

function elementKind(list: Value): Shape['kind'] {
  const element = list.kind === 'projection' ? shapeOf(list.item) : shapeOf(list)?.element;
  return element?.kind ?? 'any';
}

function truthOf(outcome: boolean): Term {
  return outcome ? always : never;
}

function byBoolean(place: Value, outcome: (value: boolean) => boolean): Term {
  const [whenTrue, whenFalse] = [outcome(true), outcome(false)];
  if (whenTrue === whenFalse) return constantTest(place, whenTrue);
  const term = termOf(place);
  return whenTrue ? term : not(term);
}

/** A test with a constant outcome; Kyverno ends in an error where the place is absent. */
export function constantTest(place: Value, outcome: boolean): Term {
  if (endsWhereAbsent(place)) return readingTest(place, outcome);
  // Null satisfies no operator.
  if (place.kind === 'projection' && outcome) return place.lenient?.presence ?? always;
  return truthOf(outcome);
}

// A test with a constant outcome that reads a place, and so ends in an error where it is absent.
function readingTest(place: Value, outcome: boolean): Term {
  const read = place.kind === 'choice' ? choiceTest(place) : termOf(place);
  return outcome ? isRead(read) : not(isRead(read));
}

function choiceTest({ test, whenTrue, whenFalse }: Extract<Value, { kind: 'choice' }>): Term {
  if ([whenTrue, whenFalse].some(endsWhereAbsent)) {
    throw new Unsupported(
      'a condition that is always or never true for a field that may be absent',
    );
  }
  return test;
}

function typeOfKey(key: Value): KeyType | undefined {
  if (isList(key)) return 'list';
  switch (shapeOf(key)?.kind) {
    case 'string':
    case 'quantity':
    case 'time':
      return 'text';
    case 'int32':
    case 'int64':
    case 'float64':
      return 'number';
    case 'map':
    case 'struct':
      return 'map';
    default:
      return undefined;
  }
}

// A constant key is compared with texts and lists of texts alone.
function refuseOtherTypes(operator: string, key: unknown, value: Value): void {
  const shape = shapeOf(value);
  if (shape === undefined && value.kind !== 'projection') return;
  const type = typeOfKey(value);
  const isText = typeof key === 'string';
  const isPattern = (Array.isArray(key) ? key : [key]).some((each) => hasWildcard(String(each)));
  if (isOfSet(operator) && isPattern) throw new Unsupported('a pattern is searched in a field');
  const isKnown = isOfSet(operator)
    ? type === 'list' || (type === 'text' && isText)
    : type === 'text'
      ? isText
      : type === 'number' && typeof key === 'number';
  if (!isKnown) throw new Unsupported('a constant is compared with a field of another type');
}

/** A test that reads values also if its outcome is constant: Kyverno ends in an error where one is absent. */
export function reading(test: Term, values: readonly Value[]): Term {
  if (!isConstant(test)) return test;
  const outcome = test.text === always.text;
  const open = values.filter(endsWhereAbsent).map((each) => readingTest(each, outcome));
  if (open.length === 0) return test;
  return outcome ? all(open) : any(open);
}
