import { hostKind } from '../values/host-kind.ts';
import { reasonOf } from '../values/host-limit.ts';
import {
  convert,
  type HostTypes,
  isOrdinaryNumber,
  isValueAlready,
  Unconvertible,
} from '../values/to-cel.ts';
import { dynType, type Type } from '../values/types.ts';
import { CelError, Optional, type Value } from '../values/value.ts';
import { applyQualifiers, type Qualifier } from './apply-qualifiers.ts';
import { readBinding } from './bindings.ts';
import { type Frame, isError } from './frame.ts';
import { isInherited } from './inherited.ts';
import {
  type HostPath,
  type HostRoot,
  type MakeHostPath,
  plainSteps,
  readVariable,
  type VariableRoot,
} from './path.ts';
import { orMissing, qualify } from './qualify.ts';
import { readStep } from './read-step.ts';
import type { Step } from './shared-path.ts';

// Variables are bound to JavaScript data, which becomes a CEL value when it is read. Most of it is valid already; then
// the result only needs a check.

/** Plans the reading of data of the host. */
export const makeHostPath: MakeHostPath = (root, host, qualifiers, rootCost) =>
  new DataPath(root, host, qualifiers, rootCost);

/** A variable that holds data of the host, with the selections and indexes after it. */
class DataPath implements HostPath {
  readonly #root: VariableRoot;
  readonly #host: HostRoot;
  readonly #qualifiers: readonly Qualifier[];
  readonly #rootCost: 0 | 1;
  readonly #slot: number;
  /** Whether it begins with a variable of the environment. */
  readonly #isGlobal: boolean;
  readonly #cost: number;
  /**
   * The steps to the end, from the bindings or from an element of a list; `undefined` if something other than
   * constant names and indexes is among them.
   */
  readonly #steps: readonly Step[] | undefined;
  /** Whether it ends with the presence test of `has()`. */
  readonly #isTest: boolean;
  /** The type at the end. */
  readonly #type: Type;
  readonly #isDyn: boolean;
  readonly #takesText: boolean;
  readonly #takesBool: boolean;
  /** The slot that caches the value, if each iteration of a loop reads the same; 0 if it is read only once. */
  readonly #kept: number;
  /** Two slots for the last converted value and its result; 0 if it is read only once. */
  readonly #memo: number;

  constructor(
    root: VariableRoot,
    host: HostRoot,
    qualifiers: readonly Qualifier[],
    rootCost: 0 | 1,
  ) {
    this.#root = root;
    this.#host = host;
    this.#qualifiers = qualifiers;
    this.#rootCost = rootCost;
    this.#slot = root.slot;
    this.#isGlobal = host.list === undefined;
    this.#cost = qualifiers.length + rootCost;
    const isTest = qualifiers.at(-1)?.test === true;
    this.#isTest = isTest;
    let steps = plainSteps(qualifiers, qualifiers.length, isTest);
    let { type } = host;
    if (steps !== undefined && type.kind !== 'dyn') {
      for (const step of steps) {
        if (!leadsOn(type, step)) steps = undefined;
        type = typeAfter(type);
      }
    }
    if (this.#isGlobal && isInherited(root.name)) steps = undefined;
    this.#steps = steps && this.#isGlobal ? [root.name, ...steps] : steps;
    this.#type = type;
    this.#isDyn = type.kind === 'dyn';
    this.#takesText = this.#isDyn || type.kind === 'string';
    this.#takesBool = this.#isDyn || type.kind === 'bool' || isTest;
    const { planning } = root;
    const isInLoop = planning.locals.length > 0;
    // Of an element of a list another one is read in each round.
    const isKept = isInLoop && steps !== undefined && this.#isGlobal;
    this.#kept = isKept ? planning.slots++ : 0;
    this.#memo = isInLoop && !isKept ? planning.slots : 0;
    if (this.#memo > 0) planning.slots += 2;
  }

  read(frame: Frame): Value {
    const kept = this.#kept;
    if (kept === 0) return this.#read(frame);
    const known = frame.slots[kept];
    if (known !== undefined) {
      frame.chargeSteps(this.#cost);
      return known;
    }
    const value = this.#read(frame);
    if (!isError(value)) frame.slots[kept] = value;
    return value;
  }

  #read(frame: Frame): Value {
    const value = this.find(frame);
    if (
      typeof value === 'string'
        ? this.#takesText
        : typeof value === 'boolean'
          ? this.#takesBool
          : typeof value === 'number'
            ? this.#isDyn && isOrdinaryNumber(value)
            : typeof value === 'object' && this.#isDyn && this.#isValue(frame, value)
    ) {
      frame.chargeSteps(this.#cost);
      return value as Value;
    }
    return this.#readWithCare(frame);
  }

  look(frame: Frame, alsoLists: boolean): Value {
    const value = this.find(frame);
    const isLookedAt =
      this.#isDyn &&
      (isPlain(value) ? value.constructor === Object : alsoLists && Array.isArray(value));
    if (!isLookedAt) return this.read(frame);
    frame.chargeSteps(this.#cost);
    return value as Value;
  }

  list(frame: Frame): Value {
    const value = this.find(frame);
    const { kind } = this.#type;
    if (!Array.isArray(value) || (kind !== 'dyn' && kind !== 'list')) return this.read(frame);
    frame.chargeSteps(this.#cost);
    return value;
  }

  isAmongTexts(frame: Frame, value: Value): boolean | undefined {
    const list = this.#isDyn ? this.find(frame) : undefined;
    if (!Array.isArray(list)) return undefined;
    let isThere = false;
    for (let index = 0; index < list.length; index++) {
      const element: unknown = list[index];
      if (typeof element !== 'string') return undefined;
      isThere ||= element === value;
    }
    frame.chargeSteps(this.#cost);
    return isThere;
  }

  get elements(): HostRoot {
    const { kind, parameters } = this.#type;
    const type = kind === 'list' ? (parameters[0] ?? dynType) : dynType;
    return { type, variables: this.#host.variables, list: this };
  }

  get host(): HostPath {
    return this;
  }

  find(frame: Frame): unknown {
    const steps = this.#steps;
    if (steps === undefined) return undefined;
    let value: unknown = this.#isGlobal ? frame.bindings : frame.slots[this.#slot];
    try {
      for (let index = 0; index < steps.length; index++) {
        if (typeof value !== 'object' || value === null) return undefined;
        value = readStep(value, steps[index] as Step);
      }
    } catch {
      // A getter or a proxy that throws.
      return undefined;
    }
    return this.#isTest ? isThere(value) : value;
  }

  /** Whether an object is a valid CEL value; loops ask often about the same object. */
  #isValue(frame: Frame, value: unknown): boolean {
    const { slots } = frame;
    const memo = this.#memo;
    if (memo > 0 && slots[memo] === value) return slots[memo + 1] === value;
    if (value !== frame.known && !isValueAlready(value)) return false;
    frame.known = value;
    if (memo > 0) slots[memo] = slots[memo + 1] = value as Value;
    return true;
  }

  /** Converts data that is not a valid value yet, or that the short path does not find. */
  #readWithCare(frame: Frame): Value {
    const given = this.#given(frame);
    if (given === undefined && this.#isGlobal) {
      frame.chargeSteps(this.#rootCost);
      return readVariable(this.#root, frame);
    }
    const qualifiers = this.#qualifiers;
    const walk = new Walk(given, this.#host);
    let known: Value | undefined;
    let value: Value;
    try {
      known = walk.along(qualifiers);
      value = known ?? this.#convert(frame, walk);
    } catch (failure) {
      return this.#failed(frame, walk.index, failure);
    }
    const walked = qualifiers.slice(0, walk.index);
    frame.chargeSteps(this.#rootCost + walked.filter(({ isFree }) => isFree !== true).length);
    if (isError(value)) return value;
    // `has()` is true if the field exists.
    if (walk.isDone) return known ?? true;
    const start = walk.isOptional ? new Optional(value) : value;
    return applyQualifiers(frame, start, qualifiers.slice(walk.index));
  }

  /** The value at the start of the path. */
  #given({ slots, bindings }: Frame): unknown {
    if (this.#isGlobal && bindings !== undefined) {
      slots[this.#slot] ??= readBinding(bindings, this.#root.name);
    }
    return slots[this.#slot];
  }

  #convert({ slots }: Frame, { value: given, type, index }: Walk): Value {
    const memo = this.#memo;
    const { variables } = this.#host;
    const isObject = typeof given === 'object' && given !== null;
    if (memo > 0 && isObject && slots[memo] === given) return slots[memo + 1] as Value;
    const value = convert(given, type, this.#name(index), variables.types);
    if (memo > 0) {
      slots[memo] = given as Value;
      slots[memo + 1] = value;
    } else if (index === 0 && this.#isGlobal) {
      // Others need not do it again.
      slots[this.#slot] = value;
    }
    return value;
  }

  #failed(frame: Frame, index: number, failure: unknown): CelError {
    frame.chargeSteps(this.#rootCost);
    if (!(failure instanceof Unconvertible)) {
      return new CelError(`reading \`${this.rootName}\` failed: ${reasonOf(failure)}`);
    }
    const { message } = failure;
    return new CelError(message.replace(this.#name(index), () => this.#name(index, frame)));
  }

  get rootName(): string {
    return this.#host.list?.rootName ?? this.#root.name;
  }

  nameIn(frame: Frame | undefined): string {
    return this.#name(this.#qualifiers.length, frame);
  }

  /** Names the data after a number of steps; with a frame, elements are named by index. */
  #name(count: number, frame?: Frame): string {
    const { list } = this.#host;
    let name = this.#root.name;
    if (list !== undefined) {
      const all = frame && list.find(frame);
      const element = frame?.slots[this.#slot];
      const at = Array.isArray(all) ? all.findIndex((each) => Object.is(each, element)) : -1;
      name = `${list.nameIn(frame)}[${at < 0 ? '' : at}]`;
    }
    for (const { key } of this.#qualifiers.slice(0, count)) {
      const step = 'constant' in key ? key.constant : '';
      name += typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
    }
    return name;
  }
}

/** Follows a path as far as there are objects and lists, without checking the members beside it. */
class Walk {
  value: unknown;
  type: Type;
  /** How many qualifiers were gone. */
  index = 0;
  /** Whether one of them was optional. */
  isOptional = false;
  /** Whether nothing is left to do. */
  isDone = false;
  readonly #types: HostTypes;

  constructor(value: unknown, { type, variables }: HostRoot) {
    this.value = value;
    this.type = type;
    this.#types = variables.types;
  }

  /** Follows the qualifiers as far as possible without converting the data. */
  along(qualifiers: readonly Qualifier[]): Value | undefined {
    for (const { key, optional, test } of qualifiers) {
      const step = 'constant' in key ? key.constant : null;
      if (!this.#canTake(step)) return undefined;
      const holder = this.value as Readonly<Record<Step, unknown>>;
      this.isOptional ||= optional;
      const isOwn = Object.hasOwn(holder, step);
      const found = isOwn ? holder[step] : undefined;
      const isAbsent = found === undefined && !(isOwn && typeof step === 'number');
      this.isDone = isAbsent;
      if (isAbsent && this.isOptional) return Optional.none;
      this.index++;
      if (isAbsent) {
        if (test) return false;
        return typeof step === 'number'
          ? qualify(holder as Value, step)
          : orMissing(undefined, step);
      }
      this.value = found;
      this.type = typeAfter(this.type);
      this.isDone = test && !this.isOptional;
      if (this.isDone && isThere(found) === true) return true;
    }
    return undefined;
  }

  /** Whether a key can be looked up directly: a member of an object, or an index of a list. */
  #canTake(key: Value): key is Step {
    const { value, type } = this;
    if (typeof value !== 'object' || value === null || !isStep(key) || !leadsOn(type, key)) {
      return false;
    }
    if (typeof key === 'number') return Array.isArray(value);
    return hostKind(value) === 'object' && this.#types.typeOfInstance(value) === undefined;
  }
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Whether the field that `has()` names is present; `undefined` if it may have no value in CEL. */
function isThere(value: unknown): boolean | undefined {
  if (value === undefined) return false;
  if (typeof value === 'object') {
    return value === null || Array.isArray(value) || isPlain(value) ? true : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? true
    : undefined;
}

function isStep(key: Value): key is Step {
  return typeof key === 'string' || (typeof key === 'number' && Number.isInteger(key));
}

/** Whether values of a type may have such keys. */
function leadsOn({ kind, parameters }: Type, step: Step): boolean {
  if (kind === 'dyn') return true;
  if (typeof step === 'number') return kind === 'list';
  const key = parameters[0]?.kind ?? 'dyn';
  return kind === 'map' && (key === 'string' || key === 'dyn');
}

/** The element type of a list or a map. */
function typeAfter({ kind, parameters }: Type): Type {
  return (kind === 'list' ? parameters[0] : kind === 'map' ? parameters[1] : undefined) ?? dynType;
}
