import type { ComprehensionExpression } from '../syntax/expression.ts';
import { mutableIfEmpty, settled } from '../values/mutable.ts';
import {
  type Loop,
  planCollect,
  planExistsOne,
  planLoop,
  planQuantifier,
} from './comprehension.ts';
import type { Evaluate } from './frame.ts';
import { listCost } from './literals.ts';
import { formOf, type LoopForm } from './loop-form.ts';
import type { Operand } from './operator.ts';
import type { HostRoot } from './path.ts';
import { operand, type Planned, type Planning, required } from './planning.ts';

/** Plans what a macro such as `all`, `map` or `cel.bind` has become. */
export function planComprehension(
  planning: Planning,
  expression: ComprehensionExpression,
): Planned {
  const { locals } = planning;
  const form = formOf(expression);
  const { evaluate: first } = planning.plan(expression.initial);
  const accumulator = planning.slots++;
  const { range, elements } = planRange(planning, planning.plan(expression.range));
  locals.push({
    name: expression.accumulator,
    slot: accumulator,
    initialize: (frame) => mutableIfEmpty(first(frame), accumulator),
    host: undefined,
  });
  const evaluate =
    form.kind === 'bind'
      ? planBind(planning, expression, accumulator)
      : planRounds(planning, expression, { form, range, elements, accumulator });
  locals.pop();
  return { evaluate };
}

/** What a loop goes through; of a list of the host no more is looked at than its rounds do. */
function planRange(
  planning: Planning,
  planned: Planned,
): { readonly range: Operand; readonly elements: HostRoot | undefined } {
  const host = planning.observe ? undefined : planned.path?.host;
  return host === undefined
    ? { range: operand(planning, planned), elements: undefined }
    : { range: { evaluate: (frame) => host.list(frame) }, elements: host.elements };
}

function planBind(
  planning: Planning,
  { step, result }: ComprehensionExpression,
  variable: number,
): Evaluate {
  // Never evaluated, and yet planned by cel-go, which refuses what cannot be.
  planning.plan(step);
  const body = planning.plan(result).evaluate;
  return (frame) => {
    const { slots } = frame;
    slots[variable] = undefined;
    const value = body(frame);
    return settled(value, slots[variable], variable);
  };
}

interface Rounds {
  readonly form: Exclude<LoopForm, { kind: 'bind' }>;
  readonly range: Operand;
  /** What the elements are; absent where they are values of CEL. */
  readonly elements: HostRoot | undefined;
  readonly accumulator: number;
}

function planRounds(
  planning: Planning,
  expression: ComprehensionExpression,
  { form, range, elements, accumulator }: Rounds,
): Evaluate {
  const { locals } = planning;
  const declared = locals.length;
  const declare = (name: string, host: HostRoot | undefined): number => {
    const slot = planning.slots++;
    locals.push({ name, slot, initialize: undefined, host });
    return slot;
  };
  const forget = (): void => {
    while (locals.length > declared) locals.pop();
  };
  const { variable, secondVariable } = expression;
  const loop: Loop = {
    range,
    variable: declare(variable, secondVariable === undefined ? elements : undefined),
    secondVariable: secondVariable === undefined ? undefined : declare(secondVariable, elements),
  };
  if (form.kind !== 'other') {
    const planned = planMacro(planning, form, loop);
    forget();
    return planned;
  }
  const condition = planning.plan(expression.condition).evaluate;
  const step = planning.plan(expression.step).evaluate;
  // The result sees only the accumulator.
  forget();
  const result = planning.plan(expression.result).evaluate;
  return planLoop({ ...loop, accumulator, condition, step, result });
}

function planMacro(
  planning: Planning,
  form: Exclude<Rounds['form'], { kind: 'other' }>,
  loop: Loop,
): Evaluate {
  if (form.kind === 'collect') {
    const { added } = form;
    const predicate = form.predicate && planning.plan(form.predicate).evaluate;
    const element = planning.plan(added.kind === 'list' ? required(added.elements[0]) : added);
    return planCollect(
      loop,
      predicate,
      element.evaluate,
      element.constant === undefined ? listCost : 0,
    );
  }
  const predicate = planning.plan(form.predicate).evaluate;
  return form.kind === 'existsOne'
    ? planExistsOne(loop, predicate)
    : planQuantifier(loop, predicate, form.kind === 'exists');
}
