import type { JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { Double, type Value } from '@kubeadmit/cel';

/** A value as Kyverno's CLI holds it: every number is a double. */
export function jsonOf(value: { readonly [key: string]: unknown }): JsonObject;
export function jsonOf(value: Value): JsonObject;
export function jsonOf(value: unknown): unknown {
  return convert(value, Number);
}

/** A policy as Kyverno's engine reads it: integers keep all of their digits. */
export function policyJson(value: { readonly [key: string]: unknown }): JsonObject {
  return convert(value, (integer) => integer) as JsonObject;
}

function convert(value: unknown, integer: (value: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return integer(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double) return value.value;
  if (Array.isArray(value)) return value.map((item) => convert(item, integer));
  const source = value as JsonObject;
  const copy: JsonObject = {};
  for (const key of Object.keys(source)) setKey(copy, key, convert(source[key], integer));
  return copy;
}
