import { isObject } from '@kubeadmit/apimachinery';
import { stringsShape } from '../cel/shapes.ts';
import { all, always, any, choice, never, type Term } from '../cel/term.ts';
import { mayHoldWildcards } from '../jmespath/possible-strings.ts';
import { holdsVariables, textValue, valueTerm } from '../jmespath/text-value.ts';
import { endsWhereAbsent, readability, type Value } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { differenceNotes } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { constantOutcome } from './known-outcome.ts';
import { conditionTest } from './operator.ts';

/** The terms of a block of conditions: at least one of `any`, if it is defined, and all of `all` must hold. */
export interface Conditions {
  readonly any: readonly Term[] | undefined;
  readonly all: readonly Term[];
}

/** Reads the value of `preconditions` or `deny.conditions`: `{any, all}`, or the old flat list. */
export function readConditions(source: unknown, variables: Variables): Conditions {
  return readLists(source, (list) =>
    list.map((condition) => withFailure(readCondition(condition, variables), variables)),
  );
}

/**
 * Reads the preconditions of an entry of `foreach` in a validate rule: Kyverno skips an element if they end in an error.
 */
export function elementPreconditions(source: unknown, variables: Variables): Term {
  const conditions = readLists(source, (list) =>
    list.map((condition) => readCondition(condition, variables)),
  );
  // Kyverno stops at the first condition that holds, and at the first error.
  const anyHolds = conditions.any?.reduceRight(
    (rest, each) => all([readableTest(each), any([each.test, rest])]),
    never,
  );
  return all([
    anyHolds ?? always,
    ...conditions.all.flatMap((each) => [readableTest(each), each.test]),
  ]);
}

function readLists<Condition>(
  source: unknown,
  read: (list: readonly unknown[]) => readonly Condition[],
): { readonly any: readonly Condition[] | undefined; readonly all: readonly Condition[] } {
  const readList = (list: unknown): readonly Condition[] => (Array.isArray(list) ? read(list) : []);
  if (Array.isArray(source)) return { any: undefined, all: readList(source) };
  if (!isObject(source)) return { any: undefined, all: [] };
  return {
    any: source['any'] === undefined ? undefined : readList(source['any']),
    all: readList(source['all']),
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

/** A condition, and the values that it reads. */
interface ReadCondition {
  readonly test: Term;
  readonly operands: readonly Value[];
}

// Where a value is absent, the condition ends in an error, and with it the rule.
function withFailure({ test, operands }: ReadCondition, { failing }: Variables): Term {
  if (!operands.some(endsWhereAbsent)) return test;
  failing.add(test.text);
  return { ...test, mayFail: true };
}

function readableTest({ operands }: ReadCondition): Term {
  return all(
    operands.map((operand) => {
      const readable = readability(operand);
      if (readable !== undefined) return readable;
      throw new Unsupported(
        'a precondition of `foreach` that may end in an error: Kyverno then skips the element',
        'give the variable a default',
      );
    }),
  );
}

function readCondition(source: unknown, variables: Variables): ReadCondition {
  if (!isObject(source)) throw new Unsupported('a condition that is not a map');
  const key = operandOf(source['key'], variables);
  const value = operandOf(source['value'], variables);
  const operator = String(source['operator'] ?? '');
  const ofOperation = operationTest(operator, { key, value }, variables.operations);
  if (ofOperation !== undefined) return { test: ofOperation, operands: [] };
  const isSimple = variables.isIdiomatic === true;
  const test = conditionTest(operator, { key, value }, !isSimple);
  if (isSimple && /in$/i.test(operator) && [key, value].some(mayHoldWildcards)) {
    variables.notes.add(differenceNotes.wildcards);
  }
  if (isSimple && /\bduration\(/.test(test.text)) {
    variables.notes.add(differenceNotes.plainSeconds);
  }
  return { test, operands: [key, value] };
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
