import { isObject, type Json, type JsonObject } from '@kubeadmit/conformance-tools';

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
