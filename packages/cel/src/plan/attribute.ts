import { isNumber } from '../values/arithmetic.ts';
import { goDataTypeName, goTypeName } from '../values/go-type.ts';
import { CelError, type Value } from '../values/value.ts';
import { applyQualifiers, type Qualifier } from './apply-qualifiers.ts';
import { type Evaluate, errorOf, isError } from './frame.ts';
import {
  plainSteps,
  presence,
  type ReadablePath,
  readVariable,
  type VariableRoot,
} from './path.ts';

// An attribute is a variable, or any other value, with the selections and indexes after it. They are
// planned as one, since cel-go evaluates, and counts the cost of, the whole at once.

/** Where an attribute begins. */
export type AttributeRoot =
  | VariableRoot
  | { readonly kind: 'value'; readonly evaluate: Evaluate }
  | {
      readonly kind: 'choice';
      readonly condition: Evaluate;
      readonly whenTrue: Attribute;
      readonly whenFalse: Attribute;
    };

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
  const qualifiers = attribute.qualifiers.slice();
  qualifiers.push(root.kind === 'variable' && root.isHidden ? freed(qualifier) : qualifier);
  return { root, qualifiers };
}

function freed(qualifier: Qualifier): Qualifier {
  return { ...qualifier, key: qualifier.keyAtRoot?.() ?? qualifier.key, isFree: true };
}

/** How an attribute is evaluated; `path` where it is one, which others may read without a call. */
export interface PlannedAttribute {
  readonly evaluate: Evaluate;
  readonly path?: ReadablePath;
}

/** Plans an attribute that is evaluated for itself: the root costs 1, unless it is a choice. */
export function planAttribute(attribute: Attribute): PlannedAttribute {
  const { root } = attribute;
  if (root.kind === 'choice') return { evaluate: resolveAttribute(attribute) };
  const path = pathOf(attribute, 1);
  if (path !== undefined) return { evaluate: (frame) => path.read(frame), path };
  const resolve = resolveAttribute(attribute);
  return {
    evaluate: (frame) => {
      const value = resolve(frame);
      frame.charge(1);
      return value;
    },
  };
}

function pathOf({ root, qualifiers }: Attribute, rootCost: 0 | 1): ReadablePath | undefined {
  const host = root.kind === 'variable' ? root.host : undefined;
  if (root.kind === 'variable' && host !== undefined) {
    return host.variables.makePath(root, host, qualifiers, rootCost);
  }
  const steps = root.kind === 'variable' ? plainSteps(qualifiers) : undefined;
  return root.kind === 'variable' && steps !== undefined
    ? root.planning.environment.paths?.read(root, steps, rootCost)
    : undefined;
}

/** Plans an attribute that ends with the presence test of `has()`, which takes the root's cost back. */
export function planPresenceTest(attribute: Attribute): PlannedAttribute {
  const direct = presenceOf(attribute, true);
  if (direct !== undefined) return { evaluate: direct };
  const resolve = resolveAttribute(attribute);
  const takesBack = attribute.root.kind === 'choice';
  return {
    evaluate: (frame) => {
      const value = resolve(frame);
      if (takesBack) {
        // A choice has no cost: revoke the cost of the other branch.
        frame.takeBack();
      }
      return presence(value);
    },
  };
}

function presenceOf({ root, qualifiers }: Attribute, isTest: boolean): Evaluate | undefined {
  if (root.kind === 'variable' && root.host !== undefined) {
    const path = root.host.variables.makePath(root, root.host, qualifiers, 0);
    return isTest ? (frame) => presence(path.read(frame)) : (frame) => path.read(frame);
  }
  return root.kind === 'variable'
    ? root.planning.environment.paths?.presence(root, qualifiers, isTest)
    : undefined;
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
  const path = pathOf(attribute, 0);
  if (path !== undefined) return (frame) => path.read(frame);
  const test = presenceOf(attribute, false);
  if (test !== undefined) return test;
  const start = planRoot(root);
  if (qualifiers.length === 0) return start;
  return (frame) => {
    const value = start(frame);
    return isError(value) ? value : applyQualifiers(frame, value, qualifiers);
  };
}

/** Evaluates one of two sides. */
function choose(condition: Evaluate, whenTrue: Evaluate, whenFalse: Evaluate): Evaluate {
  return (frame) => {
    const decision = condition(frame);
    if (decision === true) return whenTrue(frame);
    if (decision === false) return whenFalse(frame);
    return errorOf(decision);
  };
}

function planRoot(root: Exclude<AttributeRoot, { kind: 'choice' }>): Evaluate {
  return root.kind === 'value' ? root.evaluate : (frame) => readVariable(root, frame);
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

/** Whether an attribute is unconverted data, for which Go creates a new value at each reading. */
function isData({ root, qualifiers }: Attribute): boolean {
  return root.kind === 'variable' && root.isData && !qualifiers.some(({ optional }) => optional);
}

/** Whether values of this kind can be keys. */
export function isKey(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
}
