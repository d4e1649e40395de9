import { Double } from '@kubeadmit/cel';
import { formatFloat64 } from '@kubeadmit/go';

/**
 * A value in an apply configuration, or in the object that it is merged into.
 *
 * In addition to JSON: integral doubles, values that no field accepts, and the list that kube-apiserver writes as
 * null.
 */
export type PatchValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Double
  | GoValue
  | readonly PatchValue[]
  | PatchObject;

/** An object whose members are merged. */
export interface PatchObject {
  /** A field of the patch. */
  readonly [key: string]: PatchValue;
}

/**
 * A value that an expression gives but JSON does not have, such as a timestamp: every field refuses
 * it, with a text that shows it in Go's forms.
 */
export class GoValue {
  /** The type as Go's `%T` prints it. */
  readonly goType: string;
  /** The value as `%v` prints it. */
  readonly plain: string;
  /** The value as `%#v` prints it. */
  readonly syntax: string;
  /** The content, if the value is bytes. */
  readonly bytes: Uint8Array | undefined;

  constructor(goType: string, plain: string, syntax: string, bytes?: Uint8Array) {
    this.bytes = bytes;
    this.goType = goType;
    this.plain = plain;
    this.syntax = syntax;
  }
}

/** Whether a value is an int or a double. */
export function isNumber(value: PatchValue): value is number | bigint | Double {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;
}

/** A number as Go's `%v` prints it. */
export function numberText(value: number | bigint | Double): string {
  if (value instanceof Double) return formatFloat64(value.value);
  return typeof value === 'bigint' || Number.isInteger(value)
    ? String(value)
    : formatFloat64(value);
}

/** Whether a value is a list. */
export function isList(value: PatchValue | undefined): value is readonly PatchValue[] {
  return Array.isArray(value);
}

/** Whether a value is an object. */
export function isObject(value: PatchValue | undefined): value is PatchObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Double) &&
    !(value instanceof GoValue)
  );
}

/** Whether a value is a text, a number or a boolean. */
export function isScalar(value: PatchValue): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
}

/** The value of an object's own member. */
export function memberOf(object: PatchObject, key: string): PatchValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
