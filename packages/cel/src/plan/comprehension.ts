import { plainList } from '../values/concat-list.ts';
import { goTypeName } from '../values/go-type.ts';
import { isList, isMap } from '../values/kind.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { settled } from '../values/mutable.ts';
import { CelError, type Value } from '../values/value.ts';
import { type Evaluate, errorOf, type Frame, isError } from './frame.ts';
import type { Operand } from './operator.ts';
import { orMissing } from './qualify.ts';

/** The parts of a loop, planned, with the slots of its variables. */
export interface Loop {
  readonly range: Operand;
  readonly variable: number;
  readonly secondVariable: number | undefined;
}

/** Returns the items of a loop: the elements of a list or the keys of a map; an error for anything else. */
function itemsOf(range: Value, { secondVariable }: Loop): readonly Value[] | CelError {
  if (isList(range)) return plainList(range);
  if (isMap(range)) return mapKeys(range);
  if (isError(range)) return range;
  return new CelError(
    secondVariable === undefined
      ? `got '${goTypeName(range)}', expected iterable type`
      : `unsupported comprehension range type: ${goTypeName(range)}`,
  );
}

/** Sets both variables of a loop that has two, the first of which holds the item. */
function setBoth(
  { slots }: Frame,
  { variable, secondVariable = 0 }: Loop,
  range: Value,
  at: number,
  item: Value,
): void {
  if (isMap(range)) {
    slots[secondVariable] = orMissing(mapGet(range, item), item);
  } else {
    slots[variable] = at;
    slots[secondVariable] = item;
  }
}

/**
 * Plans `all` (`decisive` false) and `exists` (`decisive` true): a decisive element wins over errors
 * before it.
 */
export function planQuantifier(loop: Loop, predicate: Evaluate, decisive: boolean): Evaluate {
  // The costs of one round: the loop's condition, which names the accumulator, and the step.
  const conditionCost = decisive ? 3 : 2;
  const { variable, secondVariable } = loop;
  const { evaluate, path } = loop.range;
  return (frame) => {
    const range = path === undefined ? evaluate(frame) : path.read(frame);
    const items = itemsOf(range, loop);
    if (items instanceof CelError) return items;
    const { slots } = frame;
    let result: Value = !decisive;
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Value;
      slots[variable] = item;
      if (secondVariable !== undefined) setBoth(frame, loop, range, index, item);
      frame.chargeSteps(conditionCost + 1);
      const value = predicate(frame);
      frame.countIteration();
      if (value === decisive) {
        // The condition of the next round ends the loop.
        if (index < items.length - 1) frame.chargeSteps(conditionCost);
        result = decisive;
        break;
      }
      if (value !== !decisive && !isError(result)) result = errorOf(value);
    }
    frame.chargeSteps(1);
    return result;
  };
}

/** Plans `exists_one`; the last error among the elements is the result. */
export function planExistsOne(loop: Loop, predicate: Evaluate): Evaluate {
  const { variable, secondVariable } = loop;
  const { evaluate, path } = loop.range;
  return (frame) => {
    const range = path === undefined ? evaluate(frame) : path.read(frame);
    const items = itemsOf(range, loop);
    if (items instanceof CelError) return items;
    let count = 0;
    let error: CelError | undefined;
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Value;
      frame.slots[variable] = item;
      if (secondVariable !== undefined) setBoth(frame, loop, range, index, item);
      const value = predicate(frame);
      if (value === true) {
        frame.chargeSteps(2);
        count++;
      } else if (value !== false) {
        error = errorOf(value);
      }
      frame.countIteration();
    }
    frame.chargeSteps(2);
    return error ?? count === 1;
  };
}

/**
 * Plans `map` and `filter`: `element` is the value that an iteration adds, and `listCost` the cost of the
 * list literal that contains it.
 */
export function planCollect(
  loop: Loop,
  predicate: Evaluate | undefined,
  element: Evaluate,
  listCost: number,
): Evaluate {
  const { variable, secondVariable } = loop;
  const { evaluate, path } = loop.range;
  return (frame) => {
    const range = path === undefined ? evaluate(frame) : path.read(frame);
    const items = itemsOf(range, loop);
    if (items instanceof CelError) return items;
    const found: Value[] = [];
    let error: CelError | undefined;
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Value;
      frame.slots[variable] = item;
      if (secondVariable !== undefined) setBoth(frame, loop, range, index, item);
      const condition = predicate === undefined || predicate(frame);
      if (condition === true) {
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
      } else if (condition !== false) {
        error = errorOf(condition);
      }
      frame.countIteration();
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
  const { variable, secondVariable, accumulator, condition, step, result } = loop;
  const { evaluate, path } = loop.range;
  return (frame) => {
    const { slots } = frame;
    slots[accumulator] = undefined;
    const range = path === undefined ? evaluate(frame) : path.read(frame);
    const items = itemsOf(range, loop);
    if (items instanceof CelError) return items;
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Value;
      slots[variable] = item;
      if (secondVariable !== undefined) setBoth(frame, loop, range, index, item);
      if (condition(frame) === false) break;
      // The step sees the value before it.
      const value = step(frame);
      slots[accumulator] = value;
      frame.countIteration();
    }
    return settled(result(frame), slots[accumulator], accumulator);
  };
}
