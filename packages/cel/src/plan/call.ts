import { getOrMake } from '@kubeadmit/base';
import type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from '../declarations/function-declaration.ts';
import type { CallCost } from '../declarations/library.ts';
import { accepts, isText } from '../values/accepts.ts';
import { typeOf } from '../values/kind.ts';
import { CelError, Duration, Timestamp, type Value } from '../values/value.ts';
import { type Evaluate, isError } from './frame.ts';
import type { Operand } from './operator.ts';

/** The implementation of a call whose arguments are known, and how its arguments are evaluated. */
export interface Binding {
  readonly evaluate: FunctionImplementation;
  /** Arguments are evaluated up to the first that fails, instead of all of them. */
  readonly variadic?: boolean;
  /** It is called with errors, too. */
  readonly nonStrict?: boolean;
  /** The cost is charged before the call, and does not depend on its result. */
  readonly chargedFirst?: boolean;
}

/**
 * Chooses the implementation of a call: the function's only one, that of the overload which the checker found, or one
 * chosen at run time from all overloads.
 */
export function bind(declaration: FunctionDeclaration, resolved: Overload | undefined): Binding {
  const known = getOrMake(bindings, declaration, () => new Map());
  return getOrMake(known, resolved, () => makeBinding(declaration, resolved));
}

const bindings = new WeakMap<FunctionDeclaration, Map<Overload | undefined, Binding>>();

function makeBinding(declaration: FunctionDeclaration, resolved: Overload | undefined): Binding {
  if (declaration.singleton !== undefined) {
    return { evaluate: guardSingleton(declaration, declaration.singleton) };
  }
  const only = declaration.overloads.length === 1 ? declaration.overloads[0] : undefined;
  const overload = resolved ?? only;
  if (overload?.evaluate !== undefined) {
    return { ...overload, evaluate: guard(declaration.name, overload, overload.evaluate) };
  }
  return {
    evaluate: dispatch(declaration),
    variadic: true,
    nonStrict: declaration.overloads.some((candidate) => candidate.nonStrict),
  };
}

function guardSingleton(
  { name, overloads, accepts: takes }: FunctionDeclaration,
  singleton: FunctionImplementation,
): FunctionImplementation {
  if (takes === undefined) return singleton;
  // Without a rest parameter where it can be: collecting arguments takes longer than most functions.
  const most = Math.max(...overloads.map(({ parameters }) => parameters.length));
  if (most === 1) {
    return (value: Value) => (takes(value) ? singleton(value) : notTaken(name, value));
  }
  if (most === 2) {
    return (left: Value, right: Value) =>
      takes(left) ? singleton(left, right) : notTaken(name, left);
  }
  return (first: Value, ...others: Value[]) =>
    takes(first) ? singleton(first, ...others) : notTaken(name, first);
}

// cel-go implements methods of strings, timestamps and durations itself, with a shorter message.
function notTaken(name: string, first: Value): CelError {
  const isReceiver =
    typeof first === 'string' || first instanceof Timestamp || first instanceof Duration;
  return new CelError(isReceiver ? 'no such overload' : `no such overload: ${name}`);
}

function guard(
  name: string,
  overload: Overload,
  evaluate: FunctionImplementation,
): FunctionImplementation {
  if (overload.unguarded === true) return evaluate;
  const tests = overload.parameters.map(accepts);
  const [first, second, third] = tests;
  const { nonStrict = false } = overload;
  if (nonStrict || first === undefined || tests.length > 3) {
    return (...values) =>
      values.every(
        (value, index) => (nonStrict && isError(value)) || tests[index]?.(value) === true,
      )
        ? evaluate(...values)
        : noOverload(name, values);
  }
  if (second === undefined) {
    // Most functions of one argument take texts.
    return first === isText
      ? (value: Value) => (isText(value) ? evaluate(value) : noOverload(name, [value]))
      : (value: Value) => (first(value) ? evaluate(value) : noOverload(name, [value]));
  }
  return third === undefined
    ? (left: Value, right: Value) =>
        first(left) && second(right) ? evaluate(left, right) : noOverload(name, [left, right])
    : (value: Value, left: Value, right: Value) =>
        first(value) && second(left) && third(right)
          ? evaluate(value, left, right)
          : noOverload(name, [value, left, right]);
}

function dispatch({ name, overloads }: FunctionDeclaration): FunctionImplementation {
  const candidates = overloads.flatMap(({ evaluate, nonStrict = false, parameters }) =>
    evaluate === undefined ? [] : [{ evaluate, nonStrict, tests: parameters.map(accepts) }],
  );
  if (overloads.every(({ parameters }) => parameters.length === 1)) {
    return (value: Value) => {
      for (const { evaluate, tests } of candidates) if (tests[0]?.(value)) return evaluate(value);
      return noOverload(name, [value]);
    };
  }
  return (...values) => {
    for (const { evaluate, nonStrict, tests } of candidates) {
      const matches =
        tests.length === values.length &&
        tests.every((test, index) => {
          const value = values[index] ?? null;
          return isError(value) ? nonStrict : test(value);
        });
      if (matches) return evaluate(...values);
    }
    return noOverload(name, values);
  };
}

function noOverload(name: string, values: readonly Value[]): CelError {
  const failed = values.find(isError);
  if (failed !== undefined) return failed;
  const types = values.map((value) => typeOf(value).name).join(', ');
  return new CelError(`no such overload: ${name}(${types})`);
}

/** Plans the evaluation of the arguments, the call and its cost. */
export function planCall(
  { evaluate, variadic = false, nonStrict = false, chargedFirst }: Binding,
  values: readonly Operand[],
  cost: CallCost,
): Evaluate {
  const [first, second, third] = values;
  if (chargedFirst && typeof cost !== 'number') return planChargedFirst(evaluate, values, cost);
  if (!nonStrict && values.length === 3 && first && second && third) {
    return planTernary(evaluate, [first, second, third], cost);
  }
  if (nonStrict || values.length > 2 || first === undefined) {
    const evaluates = values.map((value) => value.evaluate);
    return planVariadic(evaluate, evaluates, cost, nonStrict);
  }
  return second === undefined
    ? planUnary(evaluate, first, cost)
    : planBinary(evaluate, [first, second], cost, variadic);
}

function planChargedFirst(
  evaluate: FunctionImplementation,
  values: readonly Operand[],
  cost: Exclude<CallCost, number>,
): Evaluate {
  return (frame) => {
    const found = values.map((value) => value.evaluate(frame));
    frame.charge(cost(null, ...found));
    return found.find(isError) ?? evaluate(...found);
  };
}

function planUnary(
  evaluate: FunctionImplementation,
  { evaluate: first, path }: Operand,
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const value = path === undefined ? first(frame) : path.read(frame);
    const result = isError(value) ? value : evaluate(value);
    frame.charge(typeof cost === 'number' ? cost : cost(result, value));
    return result;
  };
}

function planBinary(
  evaluate: FunctionImplementation,
  [{ evaluate: first, path }, { evaluate: second, constant }]: readonly [Operand, Operand],
  cost: CallCost,
  inOrder: boolean,
): Evaluate {
  return (frame) => {
    const left = path === undefined ? first(frame) : path.read(frame);
    if (inOrder && isError(left)) return left;
    const right = constant === undefined ? second(frame) : constant;
    const result = isError(left) ? left : isError(right) ? right : evaluate(left, right);
    frame.charge(typeof cost === 'number' ? cost : cost(result, left, right));
    return result;
  };
}

function planTernary(
  evaluate: FunctionImplementation,
  [first, second, third]: readonly [Operand, Operand, Operand],
  cost: CallCost,
): Evaluate {
  return (frame) => {
    const value = first.path === undefined ? first.evaluate(frame) : first.path.read(frame);
    if (isError(value)) return value;
    const left = second.constant === undefined ? second.evaluate(frame) : second.constant;
    if (isError(left)) return left;
    const right = third.constant === undefined ? third.evaluate(frame) : third.constant;
    const result = isError(right) ? right : evaluate(value, left, right);
    frame.charge(typeof cost === 'number' ? cost : cost(result, value, left, right));
    return result;
  };
}

function planVariadic(
  evaluate: FunctionImplementation,
  values: readonly Evaluate[],
  cost: CallCost,
  nonStrict: boolean,
): Evaluate {
  return (frame) => {
    const found: Value[] = [];
    let failed: CelError | undefined;
    for (const argument of values) {
      // That of the last one alone is charged.
      if (failed !== undefined) return failed;
      const value = argument(frame);
      found.push(value);
      if (!nonStrict && isError(value)) failed = value;
    }
    const result = failed ?? evaluate(...found);
    frame.charge(typeof cost === 'number' ? cost : cost(result, ...found));
    return result;
  };
}
