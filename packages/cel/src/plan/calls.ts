import { costGiven } from '../declarations/costs.ts';
import type { FunctionDeclaration } from '../declarations/function-declaration.ts';
import type { CallCost } from '../declarations/library.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { compute, isArithmetic } from '../values/compute.ts';
import { isEqual } from '../values/equal.ts';
import { CelError, Optional } from '../values/value.ts';
import { type Binding, bind, planCall } from './call.ts';
import { type Evaluate, errorOf, isError } from './frame.ts';
import { isInherited } from './inherited.ts';
import { constantSet, planKeyTest } from './membership.ts';
import { planChoice, planIndex } from './names.ts';
import {
  isComparison,
  type Operand,
  planAddition,
  planArithmetic,
  planComparison,
  planEquality,
  planLogic,
  planNot,
} from './operator.ts';
import {
  constant,
  lookedAt,
  operand,
  PlanFailure,
  type Planned,
  type Planning,
  refuse,
  required,
} from './planning.ts';
import { rememberingSums } from './sums.ts';
import { planTextTest } from './text-test.ts';

/** Plans a call of a function or an operator. */
export function planFunctionCall(planning: Planning, expression: CallExpression): Planned {
  const { arguments: operands } = expression;
  switch (expression.function) {
    case '_&&_':
    case '_||_':
      return { evaluate: planLogicOf(planning, expression) };
    case '_?_:_':
      return planChoice(planning, operands);
    case '_==_':
    case '_!=_':
      return { evaluate: planEqualityOf(planning, expression) };
    case '_[_]':
      return planIndex(planning, operands, false);
    case '_[?_]':
    case '_?._':
      return planIndex(planning, operands, true);
    default:
      return planNamedCall(planning, expression);
  }
}

/** Any number of terms, of which one with the decisive value settles it, errors or not. */
function planLogicOf(planning: Planning, expression: CallExpression): Evaluate {
  const terms: Evaluate[] = [];
  const collect = (term: Expression): void => {
    if (term.kind === 'call' && term.function === expression.function && !planning.observe) {
      term.arguments.forEach(collect);
    } else {
      terms.push(planning.plan(term).evaluate);
    }
  };
  expression.arguments.forEach(collect);
  return planLogic(terms, expression.function === '_||_');
}

function planEqualityOf(planning: Planning, expression: CallExpression): Evaluate {
  const [left, right] = expression.arguments;
  const negated = expression.function === '_!=_';
  const cost = planning.callCost(expression.function, negated ? 'not_equals' : 'equals');
  let first = operand(planning, planning.plan(required(left)));
  let second = operand(planning, planning.plan(required(right)));
  if (second.constant === null) first = lookedAt(first, true);
  if (first.constant === null) second = lookedAt(second, true);
  const compare = planEquality(first, second, costGiven(cost, second.constant), negated);
  const [known, other] = [first.constant, second.constant];
  if (planning.countsCosts || known === undefined || other === undefined) return compare;
  const isSame = isEqual(known, other);
  return () => isSame !== negated;
}

function planNamedCall(planning: Planning, expression: CallExpression): Planned {
  const reference = planning.checked.references[expression.id];
  if (reference?.kind !== 'function') return refuse();
  const { declaration, overloads, qualified } = reference;
  const values: Planned[] = [];
  if (expression.target !== undefined && !qualified) values.push(planning.plan(expression.target));
  for (const value of expression.arguments) values.push(planning.plan(value));
  const overload = overloads.length === 1 ? overloads[0] : undefined;
  const folded = fold(planning, declaration, overload?.id, values);
  if (folded !== undefined) return folded;
  const operands = planning.observe ? values.map((value) => operand(planning, value)) : values;
  if (overload?.id === 'optional_or_optional' || overload?.id === 'optional_orValue_value') {
    return { evaluate: planOr(operands, overload.id) };
  }
  const special = declaration.specialize?.(values.map((value) => value.constant));
  if (special instanceof CelError) throw new PlanFailure(special.message);
  const binding =
    special === undefined ? bind(declaration, overload) : { evaluate: special, variadic: true };
  const cost = costGiven(
    planning.callCost(declaration.name, overload?.id ?? ''),
    values[1]?.constant,
  );
  return { evaluate: planOperator(planning, declaration, operands, binding, cost) };
}

/** Plans calls of operators that have a special form, and all others. */
function planOperator(
  planning: Planning,
  { name }: FunctionDeclaration,
  operands: readonly Operand[],
  binding: Binding,
  cost: CallCost,
): Evaluate {
  const [first, second] = operands;
  if (first !== undefined && second !== undefined) {
    if (isComparison(name) && typeof cost === 'number') {
      return planComparison(name, [first, second], binding.evaluate, cost);
    }
    if (name === '_+_') {
      return planAddition(first, second, rememberingSums(planning, binding.evaluate), cost);
    }
    if (isArithmetic(name)) return planArithmetic(name, first, second, binding.evaluate, cost);
    if (name === '@in') return planMembership([first, second], binding, cost);
    const test =
      typeof second.constant === 'string'
        ? planTextTest(binding.evaluate, first, second.constant, cost)
        : undefined;
    if (test !== undefined) return test;
  }
  return first !== undefined && name === '!_'
    ? planNot(first, cost)
    : planCall(binding, operands, cost);
}

/** Plans `in`. */
function planMembership(
  operands: readonly [Operand, Operand],
  binding: Binding,
  cost: CallCost,
): Evaluate {
  const [{ constant: key, evaluate, path }, container] = operands;
  const otherwise =
    typeof key === 'string' && !isInherited(key)
      ? planKeyTest(key, lookedAt(container, false), binding.evaluate, cost)
      : planCall(binding, operands, cost);
  const host = container.path?.host;
  return host === undefined || cost !== 0
    ? otherwise
    : (frame) => {
        const value =
          key !== undefined ? key : path === undefined ? evaluate(frame) : path.read(frame);
        if (isError(value)) return value;
        const isIn = host.isAmongTexts(frame, value);
        if (isIn !== undefined) return isIn;
        // The searched value may be an `in` expression itself; evaluating it twice would double the time at each
        // level.
        const holder = container.evaluate(frame);
        return isError(holder) ? holder : binding.evaluate(value, holder);
      };
}

// Conversions of constants are done when planning.
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/**
 * Computes at planning time: conversions of constants, membership in a constant list, and, if costs are not
 * counted, numeric operations on literals.
 */
function fold(
  { countsCosts, observe }: Planning,
  declaration: FunctionDeclaration,
  overload: string | undefined,
  values: readonly Planned[],
): Planned | undefined {
  const [first, second] = values;
  if (conversions.has(declaration.name) && values.length === 1 && first?.constant !== undefined) {
    const binding = bind(
      declaration,
      declaration.overloads.find((candidate) => candidate.id === overload),
    );
    const value = binding.evaluate(first.constant);
    if (isError(value)) throw new PlanFailure(value.message);
    return constant(value);
  }
  if (!countsCosts && !observe && isArithmetic(declaration.name)) {
    const value = compute(declaration.name, first?.constant ?? null, second?.constant ?? null);
    if (value !== undefined) return constant(value);
  }
  const list = overload === 'in_list' ? second?.constant : undefined;
  if (!Array.isArray(list) || first === undefined) return undefined;
  if (list.length === 0) return constant(false);
  const isMember = constantSet(list);
  if (isMember === undefined) return undefined;
  const { evaluate } = first;
  return {
    evaluate: (frame) => {
      const value = evaluate(frame);
      return isError(value) ? value : isMember(value);
    },
  };
}

/** Plans `a.or(b)` and `a.orValue(b)`, which cost nothing and evaluate `b` only if `a` is empty. */
function planOr([first, second]: readonly Operand[], overload: string): Evaluate {
  const left = required(first).evaluate;
  const right = required(second).evaluate;
  return (frame) => {
    const optional = left(frame);
    if (!(optional instanceof Optional)) return errorOf(optional);
    if (optional.value === undefined) return right(frame);
    return overload === 'optional_or_optional' ? optional : optional.value;
  };
}
