import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '../schemas.ts';
import { readObject } from './read.ts';

/**
 * A CustomResourceDefinition as Go's types hold it, unknown fields gone and values of no type refused, without defaults
 * (apiextensions `v1.CustomResourceDefinition`); the text of Go where a value does not fit. Null is an empty one.
 */
export function decodeDefinition(
  schemas: Schemas,
  manifest: unknown,
): { readonly object: JsonObject } | { readonly error: string } {
  const type = schemas.types.get('apiextensions.v1.CustomResourceDefinition');
  if (!type) return isObject(manifest) ? { object: manifest } : { object: {} };
  const { error, object } = readObject(schemas.types, type, manifest);
  return object ? { object } : { error: error ?? '' };
}
