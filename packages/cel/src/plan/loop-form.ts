import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import type { Value } from '../values/value.ts';

/** The operation of a macro's loop in each round. */
export type LoopForm =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Expression }
  | {
      readonly kind: 'collect';
      readonly predicate: Expression | undefined;
      /** The list literal with the one element. */
      readonly added: Expression;
    }
  | { readonly kind: 'bind' }
  | { readonly kind: 'other' };

/** Tells the loops that the standard macros make from all others, by their trees. */
export function formOf({
  range,
  initial,
  condition,
  step,
  result,
  accumulator,
}: ComprehensionExpression): LoopForm {
  if (range.kind === 'list' && range.elements.length === 0 && isLiteral(condition, false)) {
    return { kind: 'bind' };
  }
  const isAccumulator = (expression: Expression | undefined): boolean =>
    expression?.kind === 'identifier' && expression.name === accumulator;
  if (step.kind !== 'call' || step.target !== undefined) return { kind: 'other' };
  const [first, second, third] = step.arguments;
  if (
    step.function === '_&&_' &&
    isLiteral(initial, true) &&
    isAccumulator(first) &&
    isAccumulator(result)
  ) {
    return isCall(condition, '@not_strictly_false', isAccumulator) && second
      ? { kind: 'all', predicate: second }
      : { kind: 'other' };
  }
  if (
    step.function === '_||_' &&
    isLiteral(initial, false) &&
    isAccumulator(first) &&
    isAccumulator(result)
  ) {
    const isNegated = (expression: Expression | undefined): boolean =>
      isCall(expression, '!_', isAccumulator);
    return isCall(condition, '@not_strictly_false', isNegated) && second
      ? { kind: 'exists', predicate: second }
      : { kind: 'other' };
  }
  if (!isLiteral(condition, true)) return { kind: 'other' };
  if (initial.kind === 'list' && initial.elements.length === 0 && isAccumulator(result)) {
    const conditional = step.function === '_?_:_' && isAccumulator(third);
    const added = addedList(conditional ? second : step, isAccumulator);
    return added === undefined
      ? { kind: 'other' }
      : { kind: 'collect', predicate: conditional ? first : undefined, added };
  }
  const counts =
    isLiteral(initial, 0) &&
    step.function === '_?_:_' &&
    isAccumulator(third) &&
    isCall(second, '_+_', isAccumulator, (one) => isLiteral(one, 1)) &&
    isCall(result, '_==_', isAccumulator, (one) => isLiteral(one, 1));
  return counts && first ? { kind: 'existsOne', predicate: first } : { kind: 'other' };
}

function addedList(
  expression: Expression | undefined,
  isAccumulator: (expression: Expression | undefined) => boolean,
): Expression | undefined {
  if (expression?.kind !== 'call' || expression.function !== '_+_') return undefined;
  const [left, right] = expression.arguments;
  return isAccumulator(left) &&
    right?.kind === 'list' &&
    right.optional.length === 0 &&
    right.elements.length === 1
    ? right
    : undefined;
}

function isLiteral(expression: Expression | undefined, value: Value): boolean {
  return expression?.kind === 'literal' && expression.value === value;
}

function isCall(
  expression: Expression | undefined,
  name: string,
  ...tests: readonly ((value: Expression | undefined) => boolean)[]
): boolean {
  return (
    expression?.kind === 'call' &&
    expression.function === name &&
    expression.arguments.length === tests.length &&
    tests.every((test, index) => test(expression.arguments[index]))
  );
}
