import { setKey } from '@kubeadmit/go/internal';
import { isInherited } from '../plan/inherited.ts';
import { dynType, type Type } from '../types.ts';
import {
  convert,
  type HostTypes,
  isOrdinaryNumber,
  isValueAlready,
  Unconvertible,
} from '../values/to-cel.ts';
import { CelError, type Value } from '../values/value.ts';
import type { ReadPart } from './variable-paths.ts';

/** Makes the value of a variable of what was bound to it; an error where that is impossible. */
export type BindVariable = (given: unknown) => Value | undefined;

/**
 * How what is bound to a variable becomes a value of its declared type.
 *
 * Only the parts that the expression reads are looked at.
 */
export function bindVariable(
  name: string,
  type: Type,
  part: ReadPart,
  types: HostTypes | undefined,
): BindVariable {
  const planned = planPart(name, type, part);
  return (given) => {
    if (given === undefined) return undefined;
    try {
      return isFit(given, planned) ? (given as Value) : bindPart(given, planned, types);
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      return new CelError(
        failure instanceof Unconvertible ? reason : `reading \`${name}\` failed: ${reason}`,
      );
    }
  };
}

/** A part that is read, with its name and type. */
interface PlannedPart {
  readonly name: string;
  readonly type: Type;
  /** Whether any value will do. */
  readonly isDyn: boolean;
  /** What is read if it is an object; `undefined` for all of it. */
  readonly members: readonly PlannedMember[] | undefined;
  /** What is read if it is a list; `undefined` for all of it. */
  readonly elements: readonly (readonly [number, PlannedPart])[] | undefined;
  /** What is read of each element. */
  readonly each: PlannedPart | undefined;
}

interface PlannedMember {
  readonly key: string;
  /** Whether objects inherit something of this name. */
  readonly isInherited: boolean;
  readonly part: PlannedPart;
}

function planPart(name: string, type: Type, part: ReadPart): PlannedPart {
  const isDyn = type.kind === 'dyn';
  const first = type.parameters[0] ?? dynType;
  const second = type.parameters[1] ?? dynType;
  const isMap = isDyn || (type.kind === 'map' && hasTextKeys(type));
  const isList = isDyn || type.kind === 'list';
  const members: PlannedMember[] | undefined =
    isMap && !part.all && part.each === undefined ? [] : undefined;
  const elements: [number, PlannedPart][] | undefined =
    isList && !part.all && !part.allOfList ? [] : undefined;
  for (const [key, inner] of part.members ?? []) {
    if (elements !== undefined && typeof key === 'number') {
      elements.push([key, planPart(`${name}[${key}]`, first, inner)]);
    }
    if (members !== undefined) {
      const member = planPart(`${name}.${key}`, second, inner);
      members.push({ key: String(key), isInherited: isInherited(String(key)), part: member });
    }
  }
  const each = part.each && planPart(`${name}[]`, first, part.each);
  return { name, type, isDyn, members, elements, each };
}

/** Whether all that is read of a value is a value of CEL as it is, which is so for most data. */
function isFit(given: unknown, part: PlannedPart): boolean {
  switch (typeof given) {
    case 'string':
      return part.isDyn || part.type.kind === 'string';
    case 'boolean':
      return part.isDyn || part.type.kind === 'bool';
    case 'number':
      return part.isDyn && isOrdinaryNumber(given);
    case 'object':
      break;
    default:
      return false;
  }
  if (given === null) return part.isDyn;
  if (Array.isArray(given)) return isFitList(given, part);
  const { members } = part;
  if (members === undefined) return part.isDyn && isValueAlready(given);
  if (Object.getPrototypeOf(given) !== Object.prototype) return false;
  const object = given as Readonly<Record<string, unknown>>;
  for (let at = 0; at < members.length; at++) {
    const member = members[at] as PlannedMember;
    const value =
      member.isInherited && !Object.hasOwn(object, member.key) ? undefined : object[member.key];
    // A member that is there and `undefined` counts as absent: that takes a copy.
    const isFine =
      value === undefined ? !Object.hasOwn(object, member.key) : isFit(value, member.part);
    if (!isFine) return false;
  }
  return true;
}

function isFitList(list: readonly unknown[], part: PlannedPart): boolean {
  const { elements, each } = part;
  if (elements === undefined) return part.isDyn && isValueAlready(list);
  for (const [index, inner] of elements) {
    if (Object.hasOwn(list, index) && !isFit(list[index], inner)) return false;
  }
  if (each === undefined) return true;
  for (let index = 0; index < list.length; index++) {
    if (!isFit(list[index], each)) return false;
  }
  return true;
}

function bindPart(given: unknown, part: PlannedPart, types: HostTypes | undefined): Value {
  if (typeof given === 'object' && given !== null) {
    if (Array.isArray(given)) {
      if (part.elements !== undefined) return bindElements(given, part, types);
    } else if (part.members !== undefined && Object.getPrototypeOf(given) === Object.prototype) {
      return bindMembers(given as Readonly<Record<string, unknown>>, part.members, types);
    }
  }
  return convert(given, part.type, part.name, types);
}

function bindMembers(
  object: Readonly<Record<string, unknown>>,
  members: NonNullable<PlannedPart['members']>,
  types: HostTypes | undefined,
): Value {
  let read: Record<string, Value> | undefined;
  for (let at = 0; at < members.length; at++) {
    const { key, part } = members[at] as PlannedMember;
    if (!Object.hasOwn(object, key)) continue;
    const member = object[key];
    const value = member === undefined ? undefined : bindPart(member, part, types);
    if (value === undefined || !Object.is(value, member)) {
      // Nothing else of the object is read.
      read ??= pick(object, members.slice(0, at));
    }
    if (read !== undefined && value !== undefined) setKey(read, key, value);
  }
  return read ?? (object as Value);
}

function pick(
  object: Readonly<Record<string, unknown>>,
  members: NonNullable<PlannedPart['members']>,
): Record<string, Value> {
  const picked: Record<string, Value> = {};
  for (const { key } of members) {
    if (Object.hasOwn(object, key)) setKey(picked, key, object[key] as Value);
  }
  return picked;
}

function bindElements(
  list: readonly unknown[],
  { elements = [], each, name }: PlannedPart,
  types: HostTypes | undefined,
): Value {
  let copy: Value[] | undefined;
  const bind = (index: number, part: PlannedPart): void => {
    const element = (copy ?? list)[index];
    const value = bindPart(element, part, types);
    if (Object.is(value, element)) return;
    copy ??= list.slice() as Value[];
    copy[index] = value;
  };
  for (const [index, part] of elements) {
    if (Object.hasOwn(list, index)) bind(index, part);
  }
  if (each === undefined) return copy ?? (list as Value);
  for (let index = 0; index < list.length; index++) {
    try {
      bind(index, each);
    } catch (failure) {
      throw failure instanceof Unconvertible
        ? new Unconvertible(failure.message.replace(`${name}[]`, () => `${name}[${index}]`))
        : failure;
    }
  }
  return copy ?? (list as Value);
}

function hasTextKeys({ parameters: [key = dynType] }: Type): boolean {
  return key.kind === 'string' || key.kind === 'dyn';
}
