import type { HostTypes } from '../values/to-cel.ts';
import type { Type } from '../values/types.ts';
import { CelError, Optional, type Value } from '../values/value.ts';
import type { Qualifier } from './apply-qualifiers.ts';
import type { PlainBindings } from './bindings.ts';
import type { Evaluate, Frame } from './frame.ts';
import { isInherited } from './inherited.ts';
import type { SharedPaths, Step } from './shared-path.ts';

/** A list of the host, the elements of which are looked at where they are read. */
export interface HostList {
  /** Returns the list itself, or an error if it is not a list. */
  list(frame: Frame): Value;
  /** Facts about the elements. */
  readonly elements: HostRoot;
}

/** A path through data of the host. */
export interface HostPath extends ReadablePath, HostList {
  /** Reads without checking the members of an object, or with `alsoLists` the elements of a list. */
  look(frame: Frame, alsoLists: boolean): Value;
  /** Whether a value is in a list of strings; `undefined` if it is not such a list. */
  isAmongTexts(frame: Frame, value: Value): boolean | undefined;
  /** The variable of the environment that it begins with. */
  readonly rootName: string;
  /** Returns the data at the end of the path, or `undefined` if reading it requires a closer look. */
  find(frame: Frame): unknown;
  /** Names the data; with a frame, elements are named by index. */
  nameIn(frame: Frame | undefined): string;
}

/** Reads the bindings of the variables of an expression into the slots of a frame. */
export type Bind = (slots: (Value | undefined)[], bindings: PlainBindings) => void;

/** Plans the reading of values of CEL by steps that are known. */
export interface PlanPaths {
  /** Plans the reading of variables, given by name with their slots; none has the name of something inherited. */
  bind(variables: ReadonlyMap<string, number>): Bind;
  /** Plans `variable.a.b`. The root costs nothing where it is a part of another attribute. */
  read(root: VariableRoot, steps: readonly Step[], rootCost: 0 | 1): ReadablePath;
  /**
   * Plans `has(variable.a.b)`; `undefined` where it is not as simple as that. For an optional it gives the optional
   * that it found, or `isTest`, whether there is something in it.
   */
  presence(
    root: VariableRoot,
    qualifiers: readonly Qualifier[],
    isTest: boolean,
  ): Evaluate | undefined;
}

/** Plans the reading of data of the host. The root costs nothing where the path is a part of another attribute. */
export type MakeHostPath = (
  root: VariableRoot,
  host: HostRoot,
  qualifiers: readonly Qualifier[],
  rootCost: 0 | 1,
) => HostPath;

/** How the values bound to the variables of an environment are converted. */
export interface HostVariables {
  /** The declared type of a variable. */
  typeOf(name: string): Type;
  /** The host types that conversion uses. */
  readonly types: HostTypes;
  readonly makePath: MakeHostPath;
}

/** Facts about a variable that contains host data. */
export interface HostRoot {
  readonly type: Type;
  readonly variables: HostVariables;
  /** The list that it is an element of; `undefined` for a variable of the environment. */
  readonly list: HostPath | undefined;
}

/** The variable that an attribute begins with. */
export interface VariableRoot {
  readonly kind: 'variable';
  readonly name: string;
  readonly slot: number;
  /** Whether the variable holds data that no expression has made. */
  readonly isData: boolean;
  /** Whether a loop variable of the same name hides it. */
  readonly isHidden: boolean;
  /** Where its paths are planned. */
  readonly planning: SharedPaths & {
    readonly environment: { readonly paths: PlanPaths | undefined };
  };
  /** Gives the variable its value when it is first used. */
  readonly initialize: Evaluate | undefined;
  /** Absent where it holds values of CEL. */
  readonly host: HostRoot | undefined;
}

/** The variable's value, also where its slot does not have it yet. */
export function readVariable({ slot, name, initialize }: VariableRoot, frame: Frame): Value {
  const known = frame.slots[slot];
  if (known !== undefined) return known;
  if (initialize === undefined) return new CelError(`no such attribute(s): ${name}`);
  const value = initialize(frame);
  frame.slots[slot] = value;
  return value;
}

/** A variable, or a path from it, which other code may read without a call. */
export interface ReadablePath {
  /** The value at the end, or the error of the step that leads nowhere. */
  read(frame: Frame): Value;
  /** Itself, where it leads through data of the host. */
  readonly host?: HostPath;
}

/** The keys of the first qualifiers if they are all plain selections or indexes; `undefined` otherwise. */
export function plainSteps(
  qualifiers: readonly Qualifier[],
  count: number = qualifiers.length,
  withTest = false,
): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let index = 0; index < count; index++) {
    const { key, optional, test, fields, isFree } = qualifiers[index] as Qualifier;
    if (
      optional ||
      fields !== undefined ||
      (test && !withTest) ||
      isFree ||
      !('constant' in key) ||
      !isStep(key.constant)
    ) {
      return undefined;
    }
    steps.push(key.constant);
  }
  return steps;
}

/** Whether a key is looked up by itself, without care. */
export function isStep(key: Value): key is Step {
  // Bytes have numbers as names.
  return typeof key === 'string'
    ? !isInherited(key) && !(key >= '0' && key < ':')
    : typeof key === 'number' && Number.isInteger(key);
}

/** The result of `has()` for an optional. */
export function presence(found: Value): Value {
  return found instanceof Optional ? found.value !== undefined : found;
}
