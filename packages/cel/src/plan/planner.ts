import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { CallCost } from '../declarations/library.ts';
import type { Expression } from '../syntax/expression.ts';
import { planFunctionCall } from './calls.ts';
import type { Evaluate } from './frame.ts';
import { planListLiteral, planMapLiteral, planStructLiteral } from './literals.ts';
import { planComprehension } from './loops.ts';
import { planName, planSelect } from './names.ts';
import type { Bind } from './path.ts';
import {
  constant,
  type PlanEnvironment,
  PlanFailure,
  type Planned,
  type Planning,
} from './planning.ts';

/** A planned expression and the variables of the environment that it reads, by slot. */
export interface PlannedExpression {
  readonly evaluate: Evaluate;
  /** The slots of the variables of the environment, by name. */
  readonly variables: ReadonlyMap<string, number>;
  /** Whether evaluations read the bindings of the variables, which are data of the host, themselves. */
  readonly readsBindings: boolean;
  /** Reads the variables at once; absent where they are read by themselves. */
  readonly bind: Bind | undefined;
  /** How many slots an evaluation needs. */
  readonly slots: number;
  /** Whether evaluations count their cost; without it no budget is enforced. */
  readonly countsCosts: boolean;
}

/** How an expression is planned. */
export interface PlanOptions {
  /** Whether evaluations can be observed; costs time when they are not. */
  readonly observe?: boolean;
  /** Whether `isSum` reports every sum of lists; sums then take longer. */
  readonly tellsSums?: boolean;
  /** Whether evaluations count their cost (default: true). Evaluations without costs are faster. */
  readonly countsCosts?: boolean;
}

/** The cost of calls if costs are not counted. */
const noCost = (): CallCost => 0;

/** Plans a checked expression. Throws `PlanFailure`. */
export function plan(
  checked: CheckedExpression,
  environment: PlanEnvironment,
  { observe = false, tellsSums = false, countsCosts = true }: PlanOptions,
): PlannedExpression {
  const globals = new Map<string, number>();
  const planning: Planning = {
    checked,
    environment,
    countsCosts,
    callCost: countsCosts ? environment.callCost : noCost,
    observe,
    globals,
    locals: [],
    paths: [],
    slots: 0,
    tellsSums: tellsSums ? true : undefined,
    plan: (expression) => {
      try {
        const planned = planNode(planning, expression);
        return observe ? observed(expression, planned) : planned;
      } catch (failure) {
        if (failure instanceof PlanFailure) failure.position ??= expression.position;
        throw failure;
      }
    },
  };
  const { evaluate } = planning.plan(checked.expression);
  const readsBindings = environment.host !== undefined;
  const bind = environment.paths?.bind(globals);
  return { evaluate, variables: globals, bind, readsBindings, slots: planning.slots, countsCosts };
}

function observed(expression: Expression, planned: Planned): Planned {
  const { evaluate } = planned;
  return {
    ...planned,
    evaluate: (frame) => {
      const value = evaluate(frame);
      frame.observe?.(expression, value);
      return value;
    },
  };
}

function planNode(planning: Planning, expression: Expression): Planned {
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value);
    case 'identifier':
      return planName(planning, expression);
    case 'select':
      return planSelect(planning, expression);
    case 'call':
      return planFunctionCall(planning, expression);
    case 'list':
      return planListLiteral(planning, expression);
    case 'map':
      return planMapLiteral(planning, expression);
    case 'struct':
      return planStructLiteral(planning, expression);
    case 'comprehension':
      return planComprehension(planning, expression);
    default:
      return expression satisfies never;
  }
}
