import { SpecialValue } from './value.ts';

/** The CEL kind of a JavaScript value; `refused` if it has none. */
export type HostKind =
  | 'scalar'
  | 'value'
  | 'list'
  | 'set'
  | 'map'
  | 'object'
  | 'date'
  | 'bytes'
  | 'buffer'
  | 'boxed'
  | 'refused';

/** Classifies a JavaScript value, including values of other realms. */
export function hostKind(value: unknown): HostKind {
  if (value === null) return 'scalar';
  if (typeof value !== 'object') {
    return typeof value === 'function' || typeof value === 'symbol' || value === undefined
      ? 'refused'
      : 'scalar';
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'object';
  if (Array.isArray(value)) return 'list';
  if (value instanceof SpecialValue) return 'value';
  if (value instanceof Uint8Array) return 'bytes';
  return kindOfInstance(value);
}

function kindOfInstance(value: object): HostKind {
  switch (Object.prototype.toString.call(value).slice(8, -1)) {
    case 'Object':
      return isReadable(value) ? 'object' : 'refused';
    case 'Date':
      return value instanceof Date ? 'date' : 'refused';
    case 'Map':
      return value instanceof Map ? 'map' : 'refused';
    case 'Set':
      return value instanceof Set ? 'set' : 'refused';
    case 'ArrayBuffer':
      return value instanceof ArrayBuffer ? 'buffer' : 'refused';
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
      return 'boxed';
    default:
      return 'refused';
  }
}

/** Whether an instance of a class can be read by its own members: it has no private state, `toJSON` or `then`. */
function isReadable(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (typeof (value as { then?: unknown }).then === 'function') return false;
  if (Object.keys(value).length > 0) return true;
  const prototype = Object.getPrototypeOf(value) as object;
  return Object.getOwnPropertyNames(prototype).every((name) => name === 'constructor');
}

/** Describes a JavaScript value: `a function`, `an instance of URL`. */
export function hostName(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof (value as { then?: unknown }).then === 'function') return 'a Promise';
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === 'string' && name !== 'Object' && name !== ''
    ? `an instance of ${name}`
    : 'an object';
}
