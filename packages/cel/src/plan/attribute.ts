import { isNumber } from '../values/arithmetic.ts';
import { goDataTypeName, goTypeName } from '../values/go-type.ts';
import { CelError, Optional, type PlainObject, SpecialValue, type Value } from '../values/value.ts';
import { type Evaluate, type Frame, isError } from './frame.ts';
import { isInherited } from './inherited.ts';
import { find, isPresent, qualify } from './qualify.ts';
import { type SharedPaths, type Step, sharePath } from './shared-path.ts';

// An attribute is a variable, or any other value, with the selections and indexes after it. They are
// planned as one, since cel-go evaluates, and counts the cost of, the whole at once.

/** One selection or index. */
export interface Qualifier {
  /** The key where it is known, and else how to get it. */
  readonly key: { readonly constant: Value } | { readonly evaluate: Evaluate };
  /** Written with `?`. */
  readonly optional: boolean;
  /** Only asks whether it is there: the last one of `has()`. */
  readonly test: boolean;
  /** Costs nothing: cel-go does not see what follows a variable at the root that a local one hides. */
  readonly isFree?: boolean;
}

/** Where an attribute begins. */
export type AttributeRoot =
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly slot: number;
      /** Whether the variable holds data that no expression has made. */
      readonly isData: boolean;
      /** Whether a loop variable of the same name hides it. */
      readonly isHidden: boolean;
      /** Where its paths are planned. */
      readonly planning: SharedPaths;
      /** Gives the variable its value when it is first used. */
      readonly initialize: Evaluate | undefined;
    }
  | { readonly kind: 'value'; readonly evaluate: Evaluate }
  | {
      readonly kind: 'choice';
      readonly condition: Evaluate;
      readonly whenTrue: Attribute;
      readonly whenFalse: Attribute;
    };

type VariableRoot = Extract<AttributeRoot, { kind: 'variable' }>;

export interface Attribute {
  readonly root: AttributeRoot;
  readonly qualifiers: readonly Qualifier[];
}

/** The attribute with one more qualifier; a choice has it on both of its sides. */
export function extend(attribute: Attribute, qualifier: Qualifier): Attribute {
  const { root } = attribute;
  if (root.kind === 'choice') {
    return {
      root: {
        ...root,
        whenTrue: extend(root.whenTrue, qualifier),
        whenFalse: extend(root.whenFalse, qualifier),
      },
      qualifiers: [],
    };
  }
  const isFree = root.kind === 'variable' && root.isHidden;
  return { root, qualifiers: [...attribute.qualifiers, { ...qualifier, isFree }] };
}

/** Plans an attribute that is evaluated for itself: the root costs 1, unless it is a choice. */
export function planAttribute(attribute: Attribute): Evaluate {
  const { root, qualifiers } = attribute;
  if (root.kind === 'choice') {
    return resolveAttribute(attribute);
  }
  if (root.kind === 'variable') {
    const steps = plainSteps(qualifiers);
    if (steps !== undefined) {
      return planSteps(root, steps, 1);
    }
  }
  const resolve = resolveAttribute(attribute);
  return (frame) => {
    const value = resolve(frame);
    frame.charge(1);
    return value;
  };
}

/** Plans an attribute that ends with the presence test of `has()`, which takes the root's cost back. */
export function planPresenceTest(attribute: Attribute): Evaluate {
  const direct = planPresence(attribute, true);
  if (direct !== undefined) {
    return direct;
  }
  const resolve = resolveAttribute(attribute);
  const takesBack = attribute.root.kind === 'choice';
  return (frame) => {
    const value = resolve(frame);
    if (takesBack) {
      // A choice had no cost of its own: what it takes back is that of something else.
      frame.charge(-1);
    }
    return presence(value);
  };
}

/**
 * Plans an attribute as part of another one: only its qualifiers cost anything. With an optional in
 * it, the presence test of `has()` gives the optional that it found, as in cel-go.
 */
function resolveAttribute(attribute: Attribute): Evaluate {
  const { root, qualifiers } = attribute;
  if (root.kind === 'choice') {
    const { condition, whenTrue, whenFalse } = root;
    return choose(condition, resolveAttribute(whenTrue), resolveAttribute(whenFalse));
  }
  if (root.kind === 'variable') {
    const steps = plainSteps(qualifiers);
    if (steps !== undefined) {
      return planSteps(root, steps, 0);
    }
    const presence = planPresence(attribute, false);
    if (presence !== undefined) {
      return presence;
    }
  }
  const start = planRoot(root);
  if (qualifiers.length === 0) {
    return start;
  }
  return (frame) => {
    const value = start(frame);
    return isError(value) ? value : applyQualifiers(frame, value, qualifiers);
  };
}

/** Evaluates one of two sides. */
function choose(condition: Evaluate, whenTrue: Evaluate, whenFalse: Evaluate): Evaluate {
  return (frame) => {
    const decision = condition(frame);
    if (decision === true) {
      return whenTrue(frame);
    }
    if (decision === false) {
      return whenFalse(frame);
    }
    return isError(decision) ? decision : new CelError('no such overload');
  };
}

function planRoot(root: Exclude<AttributeRoot, { kind: 'choice' }>): Evaluate {
  if (root.kind === 'value') {
    return root.evaluate;
  }
  const { slot, name, initialize } = root;
  if (initialize === undefined) {
    return (frame) => {
      const value = frame.slots[slot];
      return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
    };
  }
  return (frame) => {
    const known = frame.slots[slot];
    if (known !== undefined) {
      return known;
    }
    const value = initialize(frame);
    frame.slots[slot] = value;
    return value;
  };
}

/** The keys of qualifiers that are all plain selections or indexes; `undefined` otherwise. */
function plainSteps(qualifiers: readonly Qualifier[]): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const { key, optional, test, isFree } of qualifiers) {
    if (optional || test || isFree || !('constant' in key) || !isStep(key.constant)) {
      return undefined;
    }
    steps.push(key.constant);
  }
  return steps;
}

function isStep(key: Value): key is Step {
  // Bytes have numbers as names.
  return typeof key === 'string'
    ? !isInherited(key) && !/^\d/.test(key)
    : typeof key === 'number' && Number.isInteger(key);
}

/** Plans `variable.a.b[0]`, the most frequent form of all. */
function planSteps(root: VariableRoot, steps: readonly Step[], rootCost: 0 | 1): Evaluate {
  const start = planRoot(root);
  const cost = steps.length + rootCost;
  const { slot, initialize } = root;
  if (steps.length === 0) {
    return rootCost === 0
      ? start
      : (frame) => {
          const known = frame.slots[slot];
          const value = known === undefined ? start(frame) : known;
          frame.chargeSteps(1);
          return value;
        };
  }
  const path = sharePath(root.planning, slot, steps, steps.length);
  const { usedSlots, usedSteps } = path;
  const [only] = steps;
  if (only !== undefined && steps.length === 1 && usedSteps === 0) {
    return (frame) => {
      const { slots } = frame;
      const known = initialize === undefined ? slots[slot] : undefined;
      const first = known === undefined ? start(frame) : known;
      const found = take(first, only);
      if (found === undefined) {
        return failSteps(frame, first, steps, 0, rootCost);
      }
      if (path.keptSteps > 0) {
        slots[path.keptSlots] = first;
        slots[path.keptSlots + 1] = found;
      }
      frame.chargeSteps(cost);
      return found;
    };
  }
  return (frame) => {
    const { slots } = frame;
    const known = initialize === undefined ? slots[slot] : undefined;
    const first = known === undefined ? start(frame) : known;
    const { keptSteps } = path;
    let value = first;
    let index = 0;
    if (usedSlots > 0 && slots[usedSlots] === first) {
      value = slots[usedSlots + 1] as Value;
      index = usedSteps;
    }
    while (index < steps.length) {
      const next = take(value, steps[index] as Step);
      if (next === undefined) {
        return failSteps(frame, value, steps, index, rootCost);
      }
      value = next;
      index++;
      if (index === keptSteps) {
        slots[path.keptSlots] = first;
        slots[path.keptSlots + 1] = value;
      }
    }
    frame.chargeSteps(cost);
    return value;
  };
}

/**
 * Plans `has(variable.a.b)`; `undefined` where it is not as simple as that. For an optional it gives
 * the optional that it found, or `isTest`, whether there is something in it.
 */
function planPresence({ root, qualifiers }: Attribute, isTest: boolean): Evaluate | undefined {
  const before = plainSteps(qualifiers.slice(0, -1));
  const last = qualifiers.at(-1);
  const key = last?.test === true && !last.isFree && 'constant' in last.key && last.key.constant;
  if (root.kind !== 'variable' || before === undefined || typeof key !== 'string' || !isStep(key)) {
    return undefined;
  }
  const start = planRoot(root);
  const { slot, initialize } = root;
  const path = sharePath(root.planning, slot, [...before, key], before.length);
  const { steps, usedSlots, usedSteps } = path;
  return (frame) => {
    const { slots } = frame;
    const known = initialize === undefined ? slots[slot] : undefined;
    const first = known === undefined ? start(frame) : known;
    const { keptSteps } = path;
    let value: Value | undefined = first;
    let index = 0;
    if (usedSlots > 0 && slots[usedSlots] === first) {
      value = slots[usedSlots + 1] as Value;
      index = usedSteps;
    }
    while (index < before.length && value !== undefined) {
      value = take(value, before[index] as Step);
      index++;
      if (index === keptSteps && value !== undefined) {
        slots[path.keptSlots] = first;
        slots[path.keptSlots + 1] = value;
      }
    }
    if (value !== undefined && isOrdinary(value)) {
      const found = value[key];
      frame.chargeSteps(steps.length);
      if (found === undefined) {
        return false;
      }
      if (steps.length === keptSteps) {
        slots[path.keptSlots] = first;
        slots[path.keptSlots + 1] = found;
      }
      return true;
    }
    const result = isError(first) ? first : applyQualifiers(frame, first, qualifiers);
    return isTest ? presence(result) : result;
  };
}

function presence(found: Value): Value {
  return found instanceof Optional ? found.value !== undefined : found;
}

/** What is there in a plain object or an array; `undefined` where that takes a closer look. */
function take(value: Value, step: Step): Value | undefined {
  if (typeof step === 'number') {
    return Array.isArray(value) ? (value as readonly Value[])[step] : undefined;
  }
  return isOrdinary(value) ? value[step] : undefined;
}

/** Whether names that nothing inherits can be looked up in the value: it is a plain object, or bytes. */
function isOrdinary(value: Value): value is PlainObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof SpecialValue)
  );
}

/** Goes on where a step led nowhere at first sight, with the costs of those before it. */
function failSteps(
  frame: Frame,
  start: Value,
  steps: readonly Step[],
  from: number,
  rootCost: 0 | 1,
): Value {
  if (from === 0 && isError(start)) {
    frame.chargeSteps(rootCost);
    return start;
  }
  if (from === 0 && start instanceof Optional) {
    const result = applyQualifiers(frame, start, plainQualifiers(steps));
    frame.chargeSteps(rootCost);
    return result;
  }
  let value = start;
  for (let index = from; index < steps.length; index++) {
    const next = qualify(value, steps[index] as Step);
    if (isError(next)) {
      frame.chargeSteps(index + 1 + rootCost);
      return next;
    }
    value = next;
  }
  frame.chargeSteps(steps.length + rootCost);
  return value;
}

function plainQualifiers(steps: readonly Step[]): readonly Qualifier[] {
  return steps.map((step) => ({ key: { constant: step }, optional: false, test: false }));
}

/** Goes through the qualifiers, each of which costs 1 when it is tried (or found, if optional). */
function applyQualifiers(frame: Frame, start: Value, qualifiers: readonly Qualifier[]): Value {
  let value = start;
  let optional = false;
  if (value instanceof Optional) {
    if (value.value === undefined) {
      return value;
    }
    value = value.value;
    optional = true;
  }
  for (let index = 0; index < qualifiers.length; index++) {
    const qualifier = qualifiers[index] as Qualifier;
    optional ||= qualifier.optional;
    const key =
      'constant' in qualifier.key ? qualifier.key.constant : qualifier.key.evaluate(frame);
    if (optional) {
      const found = isError(key) ? key : find(value, key);
      if (found === undefined) {
        return Optional.none;
      }
      if (isError(found)) {
        return found;
      }
      if (!qualifier.isFree) {
        frame.charge(1);
      }
      value = found;
      continue;
    }
    const next = isError(key)
      ? key
      : qualifier.test
        ? isPresent(value, key as string)
        : qualify(value, key);
    if (!qualifier.isFree) {
      frame.charge(1);
    }
    if (isError(next)) {
      return next;
    }
    value = next;
  }
  return optional ? new Optional(value) : value;
}

/** Plans the key of a qualifier; it gives an error where its value cannot be one. */
export function planKey(attribute: Attribute): Evaluate {
  const { root } = attribute;
  if (root.kind === 'choice') {
    return choose(root.condition, planKey(root.whenTrue), planKey(root.whenFalse));
  }
  const evaluate = resolveAttribute(attribute);
  const typeName = isData(attribute) ? goDataTypeName : goTypeName;
  return (frame) => {
    const value = evaluate(frame);
    return isError(value) || isKey(value)
      ? value
      : new CelError(`invalid qualifier type: ${typeName(value)}`);
  };
}

/** Whether what is found is data as it was given, which Go makes a value of at each reading. */
function isData({ root, qualifiers }: Attribute): boolean {
  return root.kind === 'variable' && root.isData && !qualifiers.some(({ optional }) => optional);
}

/** Whether values of this kind can be keys. */
export function isKey(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
}
