import { closest } from './closest.ts';
import { isPlainObject } from './plain-object.ts';

/** Whether a value is an object with members, of whatever class or realm: neither null nor a list. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a value for an error message: `a list`, `the string "pods"`, `a Promise (await it)`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a Promise (await it)';
  switch (typeof value) {
    case 'string':
      return value.length > 40 ? 'a string' : `the string ${JSON.stringify(value)}`;
    case 'object':
      return isPlainObject(value) ? 'an object' : describeInstance(value);
    case 'function':
      return 'a function';
    default:
      return `the ${typeof value} ${String(value)}`;
  }
}

function describeInstance(value: object): string {
  const { constructor } = value;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return `an object of the class ${name === 'Object' ? 'Object of another realm' : name} (expected plain JSON data)`;
}

/** The expected form of an argument, for error messages. */
export interface Expected {
  /** Such as `a list of names`. */
  readonly what: string;
  /** A member without which it is something else. */
  readonly has?: string;
  /**
   * Members that only the enclosing object has, and the name of that object for the error, such as `the whole object`.
   */
  readonly whole?: { readonly members: readonly string[]; readonly called: string };
}

/**
 * Requires an argument to be an object, and not the one around it, since parts of objects have optional members
 * alone.
 *
 * @throws TypeError that names the function, the expected value and the actual one
 */
export function requireArgument(
  call: string,
  value: unknown,
  { what, has, whole }: Expected,
): void {
  if (!isOneObject(value) || (has !== undefined && value[has] === undefined)) {
    throw wrongArgument(call, what, describeValue(value));
  }
  if (whole?.members.some((name) => Object.hasOwn(value, name))) {
    throw wrongArgument(call, what, whole.called);
  }
}

function isOneObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasMembers(value) && !(value instanceof Promise);
}

function wrongArgument(call: string, what: string, given: string): TypeError {
  return new TypeError(`${call}: expected ${what}, got ${given}`);
}

/** The type of an option: a primitive, a list, an object, one of some words, or anything. */
export type OptionKind =
  | 'string'
  | 'boolean'
  | 'number'
  | 'function'
  | 'list'
  | 'object'
  | 'any'
  | readonly string[];

/**
 * Requires options to be an object with known options of the right types, since a misspelt option would have no effect.
 * An option that is undefined counts as absent.
 *
 * @throws TypeError that names the function and the problem
 */
export function requireOptions(
  call: string,
  options: unknown,
  known: Readonly<Record<string, OptionKind>>,
): void {
  if (!isOneObject(options)) {
    throw wrongArgument(call, 'options as an object', describeValue(options));
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(unknownOption(call, name, known));
    const kind = known[name];
    if (value === undefined || kind === undefined || isOfKind(value, kind)) continue;
    const expected = typeof kind === 'string' ? expectedOf(kind) : oneOf(kind);
    throw new TypeError(`${call}: \`${name}\` must be ${expected}, got ${describeValue(value)}`);
  }
}

function unknownOption(
  call: string,
  name: string,
  known: Readonly<Record<string, OptionKind>>,
): string {
  const names = Object.keys(known);
  const meant = closest(name, names);
  const hint =
    meant === undefined ? `expected one of ${names.join(', ')}` : `did you mean \`${meant}\`?`;
  return `${call}: unknown option \`${name}\` (${hint})`;
}

function isOfKind(value: unknown, kind: OptionKind): boolean {
  if (kind === 'any') return true;
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'object') return isOneObject(value);
  if (kind === 'number') return typeof value === 'number' && !Number.isNaN(value);
  return typeof kind === 'string' ? typeof value === kind : kind.includes(value as string);
}

function expectedOf(kind: string): string {
  return kind === 'object' ? 'an object' : `a ${kind}`;
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
}

/**
 * Requires an argument to be of a kind; `what` describes it in the message.
 *
 * @throws TypeError with the name of the function, the expected form and the value
 */
export function requireValue(call: string, value: unknown, kind: OptionKind, what: string): void {
  if (!isOfKind(value, kind)) throw wrongArgument(call, what, describeValue(value));
}

/**
 * Requires an argument to be a list of objects. `expected` describes them.
 *
 * @throws TypeError that names the function, the expected value and the actual one
 */
export function requireList(call: string, value: unknown, { what, has }: Expected): void {
  requireValue(call, value, 'list', `a list of ${what}`);
  for (const each of value as readonly unknown[]) {
    if (isOneObject(each) && (has === undefined || each[has] !== undefined)) continue;
    throw wrongArgument(call, `a list of ${what}`, `one with ${describeValue(each)} in it`);
  }
}

/**
 * Requires an argument to be a string.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requireText(call: string, value: unknown): void {
  requireValue(call, value, 'string', 'a string');
}
