import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import type { Schemas } from '../types/schemas.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

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

/**
 * An APIService as the API server that serves it holds it, with its defaults (kube-aggregator
 * `v1.APIService`); the text of Go where a value does not fit.
 */
export function decodeApiService(
  schemas: Schemas,
  manifest: JsonObject,
): { readonly object: JsonObject } | { readonly error: string } {
  const type = schemas.types.get('apiregistration.v1.APIService');
  if (!type) return { object: manifest };
  const { error, object } = readObject(schemas.types, type, manifest);
  if (!object) return { error: error ?? '' };
  applyDefaults(schemas.types, type, object, { minor: schemas.minor, now: '' });
  return { object: writeObject(schemas.types, type, object) };
}
