import { isObject, type Json, type JsonObject } from '@kubeadmit/conformance-tools';

/** A value that is an object; one without members where it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
