import type { CallCost } from '../library.ts';
import { bothTraversals, traversalCost } from '../standard/costs.ts';
import { codePointCount } from '../text/code-points.ts';
import { equal } from '../values/equal.ts';
import { CelError, type Value } from '../values/value.ts';
import { type Evaluate, isError } from './frame.ts';

// Operators whose operands are most often plain numbers or texts, planned so that those take no call.

/** Plans `==`, or `!=` when `negated`. */
export function planEquality(
  first: Evaluate,
  second: Evaluate,
  cost: CallCost,
  negated: boolean,
): Evaluate {
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    if (typeof left === 'string' && typeof right === 'string') {
      const result = (left === right) !== negated;
      frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
      return result;
    }
    if (typeof left === 'number' && typeof right === 'number') {
      frame.chargeSteps(1);
      return (left === right) !== negated;
    }
    const result = isError(left)
      ? left
      : isError(right)
        ? right
        : negated
          ? equal(left, right) !== true
          : equal(left, right);
    frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
    return result;
  };
}

/** Plans `+`; `evaluate` adds all but texts and small ints. */
export function planAddition(
  [first, second]: readonly [Evaluate, Evaluate],
  evaluate: (left: Value, right: Value) => Value,
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    let result: Value;
    if (typeof left === 'string' && typeof right === 'string') {
      result = left + right;
      if (cost === bothTraversals) {
        const size = frame.sizeOfText(left) + codePointCount(right);
        frame.keepTextSize(result, size);
        frame.charge(traversalCost(size));
        return result;
      }
    } else {
      result = isError(left) ? left : isError(right) ? right : evaluate(left, right);
    }
    frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
    return result;
  };
}

/** The comparisons by the names of their functions. */
export const comparisons: ReadonlyMap<string, 'less' | 'atMost' | 'more' | 'atLeast'> = new Map([
  ['_<_', 'less'],
  ['_<=_', 'atMost'],
  ['_>_', 'more'],
  ['_>=_', 'atLeast'],
]);

/** Plans a comparison that costs the same for all operands; `evaluate` compares all but numbers. */
export function planComparison(
  relation: 'less' | 'atMost' | 'more' | 'atLeast',
  [first, second]: readonly [Evaluate, Evaluate],
  evaluate: (left: Value, right: Value) => Value,
  cost: number,
): Evaluate {
  const isMore = relation === 'more' || relation === 'atLeast';
  const orEqual = relation === 'atMost' || relation === 'atLeast';
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    let result: Value;
    if (typeof left === 'number' && typeof right === 'number' && !Number.isNaN(left + right)) {
      result = left === right ? orEqual : left > right === isMore;
    } else {
      result = isError(left) ? left : isError(right) ? right : evaluate(left, right);
    }
    frame.charge(cost);
    return result;
  };
}

/** Plans `&&` (`decisive` false) and `||` (`decisive` true) of any number of terms. */
export function planLogic(terms: readonly Evaluate[], decisive: boolean): Evaluate {
  const [first, second] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const left = first(frame);
      if (left === decisive) {
        return decisive;
      }
      const right = second(frame);
      if (right === decisive) {
        return decisive;
      }
      return left !== !decisive ? failure(left) : right !== !decisive ? failure(right) : right;
    };
  }
  return (frame) => {
    let result: Value = !decisive;
    for (let index = 0; index < terms.length; index++) {
      const value = (terms[index] as Evaluate)(frame);
      if (value === decisive) {
        return decisive;
      }
      if (value !== !decisive && result === !decisive) {
        result = failure(value);
      }
    }
    return result;
  };
}

function failure(value: Value): CelError {
  return isError(value) ? value : new CelError('no such overload');
}
