import { codePointCount } from '@kubeadmit/go';
import { bothTraversals, traversalCost } from '../declarations/costs.ts';
import type { CallCost } from '../declarations/library.ts';
import { type Arithmetic, compute } from '../values/compute.ts';
import { equal } from '../values/equal.ts';
import { Double, type Value } from '../values/value.ts';
import { type Evaluate, errorOf, type Frame, isError } from './frame.ts';
import type { ReadablePath } from './path.ts';

// Operators whose operands are most often plain numbers or texts, planned so that those take no call.

/** A planned operand. `constant` is its value and `path` its path, if known and not observed. */
export interface Operand {
  readonly evaluate: Evaluate;
  readonly constant?: Value;
  readonly path?: ReadablePath | undefined;
}

/** Adds the cost of a call to those of the frame, and returns its result. */
function charged(frame: Frame, cost: CallCost, result: Value, left: Value, right: Value): Value {
  frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
  return result;
}

/** Plans `==`, or `!=` when `negated`. */
export function planEquality(
  { evaluate: first, path }: Operand,
  { evaluate: second, constant, path: secondPath }: Operand,
  cost: CallCost,
  negated: boolean,
): Evaluate {
  if (typeof constant === 'string') {
    return (frame) => {
      const left = path === undefined ? first(frame) : path.read(frame);
      return typeof left === 'string'
        ? charged(frame, cost, (left === constant) !== negated, left, constant)
        : compare(frame, left, constant, cost, negated);
    };
  }
  if (constant === null) {
    return (frame) => {
      const left = path === undefined ? first(frame) : path.read(frame);
      const result = isError(left) ? left : (left === null) !== negated;
      return charged(frame, cost, result, left, null);
    };
  }
  return (frame) => {
    const left = path === undefined ? first(frame) : path.read(frame);
    const right =
      constant === undefined
        ? secondPath === undefined
          ? second(frame)
          : secondPath.read(frame)
        : constant;
    if (typeof left === 'string' && typeof right === 'string') {
      return charged(frame, cost, (left === right) !== negated, left, right);
    }
    if (
      typeof left === 'number'
        ? typeof right === 'number'
        : typeof left === 'boolean' && typeof right === 'boolean'
    ) {
      frame.chargeSteps(1);
      return (left === right) !== negated;
    }
    return compare(frame, left, right, cost, negated);
  };
}

function compare(frame: Frame, left: Value, right: Value, cost: CallCost, negated: boolean): Value {
  const result = isError(left)
    ? left
    : isError(right)
      ? right
      : negated
        ? equal(left, right) !== true
        : equal(left, right);
  return charged(frame, cost, result, left, right);
}

/** Plans `+`; `evaluate` adds all but texts and small ints. */
export function planAddition(
  { evaluate: first, path }: Operand,
  { evaluate: second, path: secondPath }: Operand,
  evaluate: (left: Value, right: Value) => Value,
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const left = path === undefined ? first(frame) : path.read(frame);
    const right = secondPath === undefined ? second(frame) : secondPath.read(frame);
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
      result =
        compute('_+_', left, right) ??
        (isError(left) ? left : isError(right) ? right : evaluate(left, right));
    }
    return charged(frame, cost, result, left, right);
  };
}

/** Plans an operator on numbers; `evaluate` computes with values of all other kinds. */
export function planArithmetic(
  operator: Arithmetic,
  { evaluate: first, path }: Operand,
  { evaluate: second, constant, path: secondPath }: Operand,
  evaluate: (left: Value, right: Value) => Value,
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const left = path === undefined ? first(frame) : path.read(frame);
    const right =
      constant === undefined
        ? secondPath === undefined
          ? second(frame)
          : secondPath.read(frame)
        : constant;
    const result =
      compute(operator, left, right) ??
      (isError(left) ? left : isError(right) ? right : evaluate(left, right));
    frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
    return result;
  };
}

/** Whether a function is one of `<`, `<=`, `>` and `>=`. */
export function isComparison(name: string): boolean {
  return /^_[<>]=?_$/.test(name);
}

/** Plans a comparison that costs the same for all operands; `evaluate` compares all but numbers. */
export function planComparison(
  name: string,
  [{ evaluate: first, path }, { evaluate: second, constant, path: secondPath }]: readonly [
    Operand,
    Operand,
  ],
  evaluate: (left: Value, right: Value) => Value,
  cost: number,
): Evaluate {
  const isMore = name.startsWith('_>');
  const orEqual = name.endsWith('=_');
  // Numbers of all types are compared by value.
  const known = constant instanceof Double ? constant.value : constant;
  return (frame) => {
    const left = path === undefined ? first(frame) : path.read(frame);
    const right =
      known === undefined
        ? secondPath === undefined
          ? second(frame)
          : secondPath.read(frame)
        : known;
    let result: Value;
    if (typeof left === 'number' && typeof right === 'number' && !Number.isNaN(left + right)) {
      result = left === right ? orEqual : left > right === isMore;
    } else {
      result = isError(left) ? left : isError(right) ? right : evaluate(left, constant ?? right);
    }
    frame.charge(cost);
    return result;
  };
}

/** Plans `!`. */
export function planNot({ evaluate, path }: Operand, cost: CallCost): Evaluate {
  return (frame) => {
    const value = path === undefined ? evaluate(frame) : path.read(frame);
    return charged(frame, cost, typeof value === 'boolean' ? !value : errorOf(value), value, value);
  };
}

/** Plans `&&` (`decisive` false) and `||` (`decisive` true) of any number of terms. */
export function planLogic(terms: readonly Evaluate[], decisive: boolean): Evaluate {
  const [first, second] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const left = first(frame);
      if (left === decisive) return decisive;
      const right = second(frame);
      if (right === decisive) return decisive;
      return left !== !decisive ? errorOf(left) : right !== !decisive ? errorOf(right) : right;
    };
  }
  return (frame) => {
    let result: Value = !decisive;
    for (let index = 0; index < terms.length; index++) {
      const value = (terms[index] as Evaluate)(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive && result === !decisive) result = errorOf(value);
    }
    return result;
  };
}
