import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { goTypeName } from '../values/go-type.ts';
import { isList, isMap } from '../values/kind.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { CelError, type Value } from '../values/value.ts';
import { type Evaluate, type Frame, isError } from './frame.ts';

/** The parts of a loop, planned, with the slots of its variables. */
export interface Loop {
  readonly range: Evaluate;
  readonly variable: number;
  readonly secondVariable: number | undefined;
}

/** What the loop of a macro does in each round. */
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
  if (step.kind !== 'call' || step.target !== undefined) {
    return { kind: 'other' };
  }
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
  if (!isLiteral(condition, true)) {
    return { kind: 'other' };
  }
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
  if (expression?.kind !== 'call' || expression.function !== '_+_') {
    return undefined;
  }
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

/**
 * Runs `round` for each element of a range, with the loop's variables set, until it gives false.
 * Gives the range itself when that is an error, or the error of a range that is none.
 */
function forEach(
  frame: Frame,
  { variable, secondVariable }: Loop,
  elements: Value,
  round: (frame: Frame) => boolean,
): CelError | undefined {
  const { slots } = frame;
  if (isList(elements)) {
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index] as Value;
      if (secondVariable === undefined) {
        slots[variable] = element;
      } else {
        slots[variable] = index;
        slots[secondVariable] = element;
      }
      if (!round(frame)) {
        return undefined;
      }
      frame.countIteration();
    }
    return undefined;
  }
  if (isMap(elements)) {
    for (const key of mapKeys(elements)) {
      slots[variable] = key;
      if (secondVariable !== undefined) {
        slots[secondVariable] = mapGet(elements, key);
      }
      if (!round(frame)) {
        return undefined;
      }
      frame.countIteration();
    }
    return undefined;
  }
  if (isError(elements)) {
    return elements;
  }
  return new CelError(
    secondVariable === undefined
      ? `got '${goTypeName(elements)}', expected iterable type`
      : `unsupported comprehension range type: ${goTypeName(elements)}`,
  );
}

function failure(value: Value): CelError {
  return isError(value) ? value : new CelError('no such overload');
}

/**
 * Plans `all` (`decisive` false) and `exists` (`decisive` true): a decisive element wins over errors
 * before it.
 */
export function planQuantifier(loop: Loop, predicate: Evaluate, decisive: boolean): Evaluate {
  // The costs of one round: the loop's condition, which names the accumulator, and the step.
  const conditionCost = decisive ? 3 : 2;
  const { range, variable, secondVariable } = loop;
  return (frame) => {
    const elements = range(frame);
    if (!isList(elements) || secondVariable !== undefined) {
      return quantify(frame, loop, elements, predicate, decisive);
    }
    // The most frequent form, and the same as `quantify` does.
    const { slots } = frame;
    let result: Value = !decisive;
    for (let index = 0; index < elements.length; index++) {
      if (result === decisive) {
        frame.chargeSteps(conditionCost);
        break;
      }
      slots[variable] = elements[index];
      frame.chargeSteps(conditionCost + 1);
      const value = predicate(frame);
      if (value === decisive) {
        result = decisive;
      } else if (value !== !decisive && !isError(result)) {
        result = failure(value);
      }
      frame.countIteration();
    }
    frame.chargeSteps(1);
    return result;
  };
}

function quantify(
  frame: Frame,
  loop: Loop,
  elements: Value,
  predicate: Evaluate,
  decisive: boolean,
): Value {
  const conditionCost = decisive ? 3 : 2;
  let result: Value = !decisive;
  const problem = forEach(frame, loop, elements, () => {
    if (result === decisive) {
      frame.chargeSteps(conditionCost);
      return false;
    }
    frame.chargeSteps(conditionCost + 1);
    const value = predicate(frame);
    if (value === decisive) {
      result = decisive;
    } else if (value !== !decisive && !isError(result)) {
      result = failure(value);
    }
    return true;
  });
  if (problem !== undefined) {
    return problem;
  }
  frame.chargeSteps(1);
  return result;
}

/** Plans `exists_one`; the last error among the elements is the result. */
export function planExistsOne(loop: Loop, predicate: Evaluate): Evaluate {
  return (frame) => {
    let count = 0;
    let error: CelError | undefined;
    const problem = forEach(frame, loop, loop.range(frame), () => {
      const value = predicate(frame);
      if (value === true) {
        frame.chargeSteps(2);
        count++;
      } else if (value !== false) {
        error = failure(value);
      }
      return true;
    });
    if (problem !== undefined) {
      return problem;
    }
    frame.chargeSteps(2);
    return error ?? count === 1;
  };
}

/**
 * Plans `map` and `filter`: `element` is what a round adds, and `listCost` what the list literal
 * with it costs.
 */
export function planCollect(
  loop: Loop,
  predicate: Evaluate | undefined,
  element: Evaluate,
  listCost: number,
): Evaluate {
  return (frame) => {
    const found: Value[] = [];
    let error: CelError | undefined;
    const add = (): boolean => {
      frame.chargeSteps(1);
      const value = element(frame);
      frame.charge(listCost);
      frame.chargeSteps(1);
      if (error === undefined) {
        if (isError(value)) {
          error = value;
        } else {
          found.push(value);
        }
      }
      return true;
    };
    const round =
      predicate === undefined
        ? add
        : (): boolean => {
            const value = predicate(frame);
            if (value === true) {
              return add();
            }
            if (value !== false) {
              error = failure(value);
            }
            return true;
          };
    const problem = forEach(frame, loop, loop.range(frame), round);
    if (problem !== undefined) {
      return problem;
    }
    frame.chargeSteps(1);
    return error ?? found;
  };
}

/** A loop of any form, with the accumulator in a slot and its first value computed when first used. */
export interface GeneralLoop extends Loop {
  readonly accumulator: number;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
}

/** Plans a loop of any form. */
export function planLoop(loop: GeneralLoop): Evaluate {
  const { accumulator, condition, step, result } = loop;
  return (frame) => {
    frame.slots[accumulator] = undefined;
    const problem = forEach(frame, loop, loop.range(frame), () => {
      const goesOn = condition(frame);
      if (goesOn === false) {
        return false;
      }
      const value = step(frame);
      frame.slots[accumulator] = value;
      return true;
    });
    return problem ?? result(frame);
  };
}
