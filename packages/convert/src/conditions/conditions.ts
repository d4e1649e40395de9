import { isObject } from '@kubeadmit/apimachinery';
import { stringsShape } from '../cel/shapes.ts';
import { all, always, any, choice, never, type Term } from '../cel/term.ts';
import { holdsVariables, textValue, valueTerm } from '../cel/text-value.ts';
import { differenceNotes } from '../difference-notes.ts';
import { endsWhereAbsent, type Value } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../unsupported.ts';
import { mayHoldWildcards } from './equality.ts';
import { constantOutcome } from './known-outcome.ts';
import { conditionTest } from './operator.ts';

/** The terms of a block of conditions: at least one of `any`, if it is defined, and all of `all` must hold. */
export interface Conditions {
  readonly any: readonly Term[] | undefined;
  readonly all: readonly Term[];
}

/** The outcome of a condition on an absent value. */
export type AbsenceRule =
  /** It ends in an error, and with it the rule. */
  | 'ends'
  /** The condition is false: Kyverno skips an element if its preconditions end in an error. */
  | 'fails';

/** Reads the value of `preconditions` or `deny.conditions`: `{any, all}`, or the old flat list. */
export function readConditions(
  source: unknown,
  variables: Variables,
  absence: AbsenceRule = 'ends',
): Conditions {
  const read = (list: unknown): readonly Term[] =>
    Array.isArray(list)
      ? list.map((condition) => readCondition(condition, variables, absence))
      : [];
  if (Array.isArray(source)) return { any: undefined, all: read(source) };
  if (!isObject(source)) return { any: undefined, all: [] };
  return {
    any: source['any'] === undefined ? undefined : read(source['any']),
    all: read(source['all']),
  };
}

/** Whether a block of conditions holds. */
export function conditionsHold(conditions: Conditions): Term {
  const parts = conditions.any === undefined ? [] : [anyInOrder(conditions.any)];
  return allInOrder([...parts, ...conditions.all]);
}

// `&&` and `||` of CEL forget the error of one side where the other decides; Kyverno stops at the first error.
function allInOrder(terms: readonly Term[]): Term {
  return terms.reduceRight(
    (rest, term) =>
      term.mayFail === true && rest.text !== always.text
        ? strictly(choice(term, rest, never))
        : all([term, rest]),
    always,
  );
}

function anyInOrder(terms: readonly Term[]): Term {
  return terms.reduceRight(
    (rest, term) =>
      term.mayFail === true && rest.text !== never.text
        ? strictly(choice(term, always, rest))
        : any([term, rest]),
    never,
  );
}

function strictly(term: Term): Term {
  return { ...term, mayFail: true };
}

function readCondition(source: unknown, variables: Variables, absence: AbsenceRule): Term {
  if (!isObject(source)) throw new Unsupported('a condition that is not a map');
  const key = operandOf(source['key'], variables);
  const value = operandOf(source['value'], variables);
  const operator = String(source['operator'] ?? '');
  const ofOperation = operationTest(operator, { key, value }, variables.operations);
  if (ofOperation !== undefined) return ofOperation;
  const isSimple = variables.isIdiomatic === true;
  const test = conditionTest(operator, { key, value }, !isSimple);
  if (isSimple && /in$/i.test(operator) && [key, value].some(mayHoldWildcards)) {
    variables.notes.add(differenceNotes.wildcards);
  }
  if (isSimple && /\bduration\(/.test(test.text)) {
    variables.notes.add(differenceNotes.plainSeconds);
  }
  if (absence === 'ends') {
    if (![key, value].some(endsWhereAbsent)) return test;
    variables.failing.add(test.text);
    return { ...test, mayFail: true };
  }
  const places = [key, value].flatMap((each) => (each.kind === 'path' ? [each.path.presence] : []));
  return all([...places, test]);
}

// A condition on the operation that is the same for all operations of the policy.
function operationTest(
  operator: string,
  { key, value }: { readonly key: Value; readonly value: Value },
  operations: readonly string[] = [],
): Term | undefined {
  const isOperation = key.kind === 'term' && key.term.text === 'request.operation';
  if (!isOperation || value.kind !== 'literal' || operations.length === 0) return undefined;
  const outcomes = operations.map((each) => constantOutcome(operator, each, value.value));
  if (outcomes.every(Boolean)) return always;
  return outcomes.some(Boolean) ? undefined : never;
}

/** A value that may hold variables: one variable alone, or a constant. */
export function operandOf(source: unknown, variables: Variables): Value {
  if (typeof source !== 'string') {
    if (holdsVariables(source)) {
      if (Array.isArray(source) && source.length === 1) return operandOf(source[0], variables);
      return { kind: 'term', term: valueTerm(source, variables), shape: stringsShape };
    }
    return { kind: 'literal', value: source ?? null };
  }
  return textValue(source.trim(), variables);
}
