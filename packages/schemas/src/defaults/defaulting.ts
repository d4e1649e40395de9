import type { JsonObject } from '@kubeadmit/apimachinery';

/** The context of defaults in addition to the object. */
export interface DefaultingContext {
  /** Kubernetes minor version. */
  readonly minor: number;
  /** The time of the request, as the server writes times. */
  readonly now: string;
  /** For elements of lists, those of an earlier object whose members they share; these have their defaults. */
  readonly origins?: ReadonlyMap<object, object> | undefined;
}

/** Sets the defaults of one struct in place; the walk visits nested structs afterwards. */
export type Defaulter = (object: JsonObject, context: DefaultingContext) => void;

/** Defaulters by the short name of their struct. */
export type Defaulters = Readonly<Record<string, Defaulter>>;

/** Gives pointers and lists a value where they are nil. */
export function fill(object: JsonObject, values: Readonly<JsonObject>): void {
  for (const key of Object.keys(values)) {
    if (object[key] === undefined) object[key] = clone(values[key]);
  }
}

/** Gives plain fields a value where they are false, 0 or empty. */
export function fillEmpty(object: JsonObject, values: Readonly<JsonObject>): void {
  for (const key of Object.keys(values)) {
    if (isEmpty(object[key])) object[key] = clone(values[key]);
  }
}

/** Whether a plain field has its zero value, or a list or map is empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether a value is a list that is empty, but not nil. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns the struct in a field that is not a pointer, and creates it if absent. */
export function struct(object: JsonObject, key: string): JsonObject {
  object[key] ??= {};
  return object[key] as JsonObject;
}

/** The struct behind a pointer, or undefined for nil. */
export function pointer(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return object?.[key] as JsonObject | undefined;
}

/** The elements of a list, none for nil. */
export function items(object: JsonObject | undefined, key: string): JsonObject[] {
  return (object?.[key] as JsonObject[] | undefined) ?? [];
}

function clone(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredCopy(value) : value;
}

function structuredCopy(value: object): unknown {
  if (Array.isArray(value)) return value.map(clone);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)]));
}

/** A defaulter that fills nil fields. */
export function filling(values: Readonly<JsonObject>): Defaulter {
  return (object) => fill(object, values);
}

/** A defaulter that fills empty fields. */
export function fillingEmpty(values: Readonly<JsonObject>): Defaulter {
  return (object) => fillEmpty(object, values);
}
