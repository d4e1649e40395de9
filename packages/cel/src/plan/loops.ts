import type { ComprehensionExpression } from '../syntax/expression.ts';
import { mutableIfEmpty, settled } from '../values/mutable.ts';
import { isValueAlready } from '../values/to-cel.ts';
import type { Value } from '../values/value.ts';
import {
  type Loop,
  planCollect,
  planExistsOne,
  planLoop,
  planQuantifier,
} from './comprehension.ts';
import { type Evaluate, type Frame, isError } from './frame.ts';
import { listCost } from './literals.ts';
import { formOf, type LoopForm } from './loop-form.ts';
import type { Operand } from './operator.ts';
import type { HostList, HostRoot } from './path.ts';
import { operand, type Planned, type Planning, required } from './planning.ts';

/** Plans the expansion of a macro such as `all`, `map` or `cel.bind`. */
export function planComprehension(
  planning: Planning,
  expression: ComprehensionExpression,
): Planned {
  const { locals } = planning;
  const form = formOf(expression);
  const { evaluate: first } = planning.plan(expression.initial);
  const accumulator = planning.slots++;
  const planned = planning.plan(expression.range);
  const list = hostListOf(planning, planned);
  const range =
    list === undefined
      ? operand(planning, planned)
      : { evaluate: (frame: Frame): Value => list.list(frame) };
  locals.push({
    name: expression.accumulator,
    slot: accumulator,
    initialize: (frame) => mutableIfEmpty(first(frame), accumulator),
    host: undefined,
  });
  const loop =
    form.kind === 'bind'
      ? { evaluate: planBind(planning, expression, accumulator) }
      : planRounds(planning, expression, { form, range, elements: list?.elements, accumulator });
  locals.pop();
  return loop;
}

/** The list of the host that a loop goes through; no more is looked at of it than the rounds do. */
function hostListOf({ observe }: Planning, { path, list }: Planned): HostList | undefined {
  return observe ? undefined : (path?.host ?? list);
}

function planBind(
  planning: Planning,
  { step, result }: ComprehensionExpression,
  variable: number,
): Evaluate {
  // Never evaluated, but cel-go plans it and rejects an expression that cannot be planned.
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
  /** Facts about the elements of a host list. */
  readonly elements: HostRoot | undefined;
  readonly accumulator: number;
}

function planRounds(
  planning: Planning,
  expression: ComprehensionExpression,
  { form, range, elements, accumulator }: Rounds,
): Planned {
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
    const planned = planMacro(planning, form, loop, elements);
    forget();
    return planned;
  }
  const condition = planning.plan(expression.condition).evaluate;
  const step = planning.plan(expression.step).evaluate;
  // The result sees only the accumulator.
  forget();
  const result = planning.plan(expression.result).evaluate;
  return { evaluate: planLoop({ ...loop, accumulator, condition, step, result }) };
}

function planMacro(
  planning: Planning,
  form: Exclude<Rounds['form'], { kind: 'other' }>,
  loop: Loop,
  elements: HostRoot | undefined,
): Planned {
  if (form.kind === 'collect') {
    const { added } = form;
    const predicate = form.predicate && planning.plan(form.predicate).evaluate;
    const expression = added.kind === 'list' ? required(added.elements[0]) : added;
    const element = planning.plan(expression);
    const cost = element.constant === undefined ? listCost : 0;
    const isFilter = !planning.countsCosts && isVariable(element, loop.variable);
    if (isFilter && elements?.type.kind === 'dyn') {
      return planFilter(loop, predicate, element.evaluate, elements);
    }
    return { evaluate: planCollect(loop, predicate, element.evaluate, cost) };
  }
  const predicate = planning.plan(form.predicate).evaluate;
  return {
    evaluate:
      form.kind === 'existsOne'
        ? planExistsOne(loop, predicate)
        : planQuantifier(loop, predicate, form.kind === 'exists'),
  };
}

function isVariable({ attribute }: Planned, slot: number): boolean {
  const root = attribute?.root;
  return root?.kind === 'variable' && root.slot === slot && attribute?.qualifiers.length === 0;
}

/** Plans a filter over elements of a host list; `look` returns the value of the element in the loop's variable. */
function planFilter(
  loop: Loop,
  predicate: Evaluate | undefined,
  look: Evaluate,
  elements: HostRoot,
): Planned {
  const { variable } = loop;
  const list = planCollect(loop, predicate, ({ slots }) => slots[variable] as Value, 0);
  const evaluate: Evaluate = (frame) => {
    const found = list(frame);
    if (!Array.isArray(found)) return found;
    if (isValueAlready(found as unknown)) {
      frame.known = found;
      return found;
    }
    for (let index = 0; index < found.length; index++) {
      frame.slots[variable] = found[index];
      const value = look(frame);
      if (isError(value)) return value;
      found[index] = value;
    }
    return found;
  };
  return { evaluate, list: { list, elements } };
}
