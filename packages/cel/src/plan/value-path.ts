import { Optional, type PlainObject, SpecialValue, type Value } from '../values/value.ts';
import { applyQualifiers, type Qualifier } from './apply-qualifiers.ts';
import { type Evaluate, type Frame, isError } from './frame.ts';
import {
  type Bind,
  isStep,
  type PlanPaths,
  plainSteps,
  presence,
  type ReadablePath,
  readVariable,
  type VariableRoot,
} from './path.ts';
import { qualify } from './qualify.ts';
import { type SharedPath, type Step, sharePath } from './shared-path.ts';

/** Plans the reading of values of CEL in the fastest way; without it all attributes are read alike. */
export const valuePaths: PlanPaths = {
  bind: planBinding,
  read: (root, steps, rootCost) => new Path(root, steps, rootCost),
  presence: planPresence,
};

function planBinding(variables: ReadonlyMap<string, number>): Bind {
  const names = [...variables.keys()];
  const places = [...variables.values()];
  return (slots, bindings) => {
    for (let index = 0; index < places.length; index++) {
      slots[places[index] as number] = bindings[names[index] as string];
    }
  };
}

/** `variable.a.b` with names that are known when planning: the most frequent form of all. */
class Path implements ReadablePath {
  readonly #slot: number;
  readonly #root: VariableRoot;
  readonly #steps: readonly Step[];
  readonly #rootCost: 0 | 1;
  readonly #cost: number;
  readonly #shared: SharedPath;

  /** The root costs nothing where the path is a part of another attribute. */
  constructor(root: VariableRoot, steps: readonly Step[], rootCost: 0 | 1) {
    this.#slot = root.slot;
    this.#root = root;
    this.#steps = steps;
    this.#rootCost = rootCost;
    this.#cost = steps.length + rootCost;
    this.#shared = sharePath(root.planning, root.slot, steps, steps.length);
  }

  read(frame: Frame): Value {
    const { slots } = frame;
    const steps = this.#steps;
    const first = slots[this.#slot];
    if (steps.length === 0 && first !== undefined) {
      frame.chargeSteps(this.#cost);
      return first;
    }
    const shared = this.#shared;
    const { keptSteps } = shared;
    let value = first;
    let index = shared.usedSteps;
    if (index > 0) {
      if (slots[shared.usedSlots] === first) {
        value = slots[shared.usedSlots + 1];
      } else {
        index = 0;
      }
    }
    while (index < steps.length) {
      value = take(value, steps[index] as Step);
      index++;
      if (index === keptSteps) {
        slots[shared.keptSlots] = first;
        slots[shared.keptSlots + 1] = value;
      }
    }
    if (value === undefined) return this.#readWithCare(frame);
    frame.chargeSteps(this.#cost);
    return value;
  }

  /** Reads values that the fast path does not find, with the costs of the steps that were tried. */
  #readWithCare(frame: Frame): Value {
    const steps = this.#steps;
    const rootCost = this.#rootCost;
    const start = readVariable(this.#root, frame);
    if (isError(start)) {
      frame.chargeSteps(rootCost);
      return start;
    }
    if (start instanceof Optional && steps.length > 0) {
      const result = applyQualifiers(frame, start, plainQualifiers(steps));
      frame.chargeSteps(rootCost);
      return result;
    }
    let value = start;
    for (let index = 0; index < steps.length; index++) {
      const next = qualify(value, steps[index] as Step);
      if (isError(next)) {
        frame.chargeSteps(index + 1 + rootCost);
        return next;
      }
      value = next;
    }
    frame.chargeSteps(this.#cost);
    return value;
  }
}

/**
 * Plans `has(variable.a.b)`; `undefined` where it is not as simple as that. For an optional it gives
 * the optional that it found, or `isTest`, whether there is something in it.
 */
function planPresence(
  root: VariableRoot,
  qualifiers: readonly Qualifier[],
  isTest: boolean,
): Evaluate | undefined {
  const { slot, planning } = root;
  const before = plainSteps(qualifiers, qualifiers.length - 1);
  const last = qualifiers.at(-1);
  const isPlain = last?.test === true && !last.isFree && last.fields === undefined;
  const key = isPlain && 'constant' in last.key && last.key.constant;
  if (before === undefined || typeof key !== 'string' || !isStep(key)) return undefined;
  const shared = sharePath(planning, slot, [...before, key], before.length);
  const { usedSlots, usedSteps } = shared;
  const cost = before.length + 1;
  const find = (frame: Frame, value: Value | undefined): Value => {
    const found = take(value, key);
    if (found !== undefined || isOrdinary(value)) {
      frame.chargeSteps(cost);
      if (found === undefined) return false;
      if (cost === shared.keptSteps) {
        const { slots } = frame;
        slots[shared.keptSlots] = slots[slot];
        slots[shared.keptSlots + 1] = found;
      }
      return true;
    }
    const start = readVariable(root, frame);
    const result = isError(start) ? start : applyQualifiers(frame, start, qualifiers);
    return isTest ? presence(result) : result;
  };
  // The most frequent test: whether a variable has a field.
  if (before.length === 0) return (frame) => find(frame, frame.slots[slot]);
  return (frame) => {
    const { slots } = frame;
    const first = slots[slot];
    const { keptSteps } = shared;
    let value = first;
    let index = 0;
    if (usedSteps > 0 && slots[usedSlots] === first) {
      value = slots[usedSlots + 1];
      index = usedSteps;
    }
    while (index < before.length) {
      value = take(value, before[index] as Step);
      index++;
      if (index === keptSteps) {
        slots[shared.keptSlots] = first;
        slots[shared.keptSlots + 1] = value;
      }
    }
    return find(frame, value);
  };
}

/** Reads a field of a plain object or an element of a list; `undefined` if that takes a closer look. */
function take(value: Value | undefined, step: Step): Value | undefined {
  if (typeof step === 'number') {
    return Array.isArray(value) ? (value as readonly Value[])[step] : undefined;
  }
  return isOrdinary(value) ? value[step] : undefined;
}

/** Whether names that nothing inherits can be looked up in the value: it is a plain object, or bytes. */
function isOrdinary(value: Value | undefined): value is PlainObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof SpecialValue)
  );
}

function plainQualifiers(steps: readonly Step[]): readonly Qualifier[] {
  return steps.map((step) => ({ key: { constant: step }, optional: false, test: false }));
}
