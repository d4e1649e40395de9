import {
  formatGroupVersionKind,
  type GroupVersionKind,
  type KubernetesObject,
  listOf,
} from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import type { PatchObject } from '@kubeadmit/mutator';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { type Shape, type StructType, structNamed, structOf } from '@kubeadmit/schemas/types';

class ConversionError extends Error {
  /** The fields that precede the rejected value, in the order of Go's struct fields. */
  before: unknown = undefined;
}

/** The inputs of a merged apply configuration. */
export interface Merged {
  readonly kind: GroupVersionKind;
  /** The object before, as decoding gave it. */
  readonly live: KubernetesObject;
  /** The configuration: in the object, members that it does not mention are those of the object before. */
  readonly patch: PatchObject;
  /** The time, for defaults that read the clock; default the beginning of Unix time. */
  readonly now?: string;
}

/**
 * Converts the result of an apply configuration on a built-in kind to the form of its Go type, with
 * defaults, or returns an error (apimachinery runtime/converter.go). Numbers are truncated to
 * the size of their field, and fractions in integer fields are rejected.
 */
export function fromUnstructured(
  schemas: Schemas,
  object: KubernetesObject,
  { kind, live, patch, now }: Merged,
): KubernetesObject | string {
  const prefix = `unable to convert unstructured object to ${formatGroupVersionKind(kind)}: `;
  const subject = { name: structOf(schemas, kind)?.name, patch };
  const convert = (isOrdered: boolean): KubernetesObject | ConversionError => {
    try {
      return new Converter(schemas, isOrdered).struct(object, live, subject) as KubernetesObject;
    } catch (error) {
      if (error instanceof ConversionError) return error;
      throw error;
    }
  };
  const settings = { kind, live, now, internal: false };
  const converted = convert(false);
  if (!(converted instanceof ConversionError)) {
    const decoded = decode(schemas, converted, settings);
    return decoded.object ?? prefix + conversionText(decoded.error ?? '');
  }
  // The server converts field by field, so a decoding error may come first.
  const { before, message } = convert(true) as ConversionError;
  const { apiVersion, kind: name } = object;
  const { error } = decode(schemas, { apiVersion, kind: name, ...(before as object) }, settings);
  return prefix + (error === undefined ? message : conversionText(error));
}

// The JSON decoder has different messages for the errors of the converter.
function conversionText(error: string): string {
  if (error.startsWith('illegal base64 ')) return `error decoding from json: ${error}`;
  // Values that unmarshal themselves know nothing of the struct around them.
  return error
    .replace(/^json: (?=quantities )/, '')
    .replace(/ into Go struct field \S+ of type /, ' into Go value of type ');
}

interface Subject {
  readonly name: string | undefined;
  /** The value that the configuration has at this place. */
  readonly patch?: unknown;
}

// Converts only the parts that a merge changed: everything else is the same value in the live object.
class Converter {
  readonly #schemas: Schemas;
  /** Whether to convert fields in struct order and attach the preceding fields to errors. */
  readonly #isOrdered: boolean;

  constructor(schemas: Schemas, isOrdered: boolean) {
    this.#schemas = schemas;
    this.#isOrdered = isOrdered;
  }

  struct(value: unknown, live: unknown, { name, patch }: Subject): unknown {
    const struct = name === undefined ? undefined : structNamed(this.#schemas, name);
    if (value === live || struct === undefined || !isObject(value)) return value;
    const known = isObject(live) ? live : undefined;
    const given = known !== undefined && isObject(patch) ? patch : undefined;
    let converted: Record<string, unknown> | undefined;
    const all = given ?? value;
    if (this.#isOrdered) return this.#inOrder(struct, value, known, all);
    for (const key of Object.keys(all)) {
      const member = value[key];
      // Texts never become others, and members that a prototype has are never those of JSON.
      if (typeof member === 'string' || member === known?.[key]) continue;
      const shape = struct.byName.get(key)?.shape;
      const result = this.#value(member, known?.[key], shape, given?.[key]);
      if (result === member) continue;
      converted ??= { ...value };
      setKey(converted, key, result);
    }
    return converted ?? value;
  }

  #inOrder(
    { fields }: StructType,
    value: Record<string, unknown>,
    known: Record<string, unknown> | undefined,
    patch: Record<string, unknown>,
  ): unknown {
    const before: Record<string, unknown> = {};
    for (const { name, shape } of fields) {
      if (!Object.hasOwn(patch, name)) continue;
      const given = patch === value ? undefined : patch[name];
      try {
        before[name] = this.#value(value[name], known?.[name], shape, given);
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        // Of lists and maps with a mistake nothing is said but the mistake.
        if (shape.kind === 'struct' && error.before !== undefined) before[name] = error.before;
        error.before = before;
        throw error;
      }
    }
    return before;
  }

  #value(value: unknown, live: unknown, shape: Shape | undefined, patch?: unknown): unknown {
    if (value === live || shape === undefined) return value;
    if (value instanceof Double || typeof value === 'number' || typeof value === 'bigint') {
      return numberFor(value, shape);
    }
    if (shape.kind === 'struct') return this.struct(value, live, { name: shape.struct, patch });
    if (Array.isArray(value)) return this.#list(value, live, shape);
    if (!isObject(value)) return value;
    return withMembers(value, (item) => this.#value(item, undefined, shape.element));
  }

  #list(value: readonly unknown[], live: unknown, shape: Shape): readonly unknown[] {
    const old: readonly unknown[] = listOf(live);
    let known: ReadonlySet<unknown> | undefined;
    let converted: unknown[] | undefined;
    for (let place = 0; place < value.length; place++) {
      const item = value[place];
      if (item === old[place]) continue;
      if (place < old.length) known ??= new Set(old);
      const result = known?.has(item) ? item : this.#value(item, undefined, shape.element);
      if (result === item) continue;
      converted ??= [...value];
      converted[place] = result;
    }
    return converted ?? value;
  }
}

// The object itself when no member becomes another one; texts never do.
function withMembers(
  object: Record<string, unknown>,
  convert: (member: unknown) => unknown,
): Record<string, unknown> {
  let converted: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (typeof member === 'string') continue;
    const result = convert(member);
    if (result === member) continue;
    converted ??= { ...object };
    setKey(converted, key, result);
  }
  return converted ?? object;
}

/** The result of a processor's conversion of a double that does not fit into an int64. */
const leastInt64 = -(2n ** 63n);

function numberFor(value: number | bigint | Double, shape: Shape): unknown {
  const plain = value instanceof Double ? value.value : value;
  if (shape.kind !== 'int32' && shape.kind !== 'int64') return plain;
  if (typeof plain === 'number' && !Number.isInteger(plain)) {
    throw new ConversionError(`cannot convert float64 to ${shape.go}`);
  }
  const whole = typeof plain === 'bigint' || Math.abs(plain) < 2 ** 63 ? BigInt(plain) : leastInt64;
  const exact = BigInt.asIntN(shape.kind === 'int32' ? 32 : 64, whole);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
