import { isObject, type JsonObject, member, textOf } from '@kubeadmit/apimachinery';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import { isDefinition, readDefinition } from '../definitions/definition.ts';
import { parseShape } from '../types/shape.ts';
import type { Field, StructType } from '../types/type-store.ts';
import { withDefinitions } from '../version/custom-kinds.ts';
import type { Schemas } from '../version/schemas.ts';
import { decode } from './decode.ts';
import type { DecodeOptions } from './decoded.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

/** The result of decoding a list of manifests, in the shape of `kubeadmit machine decode -`. */
export interface DecodedAll {
  /** One for each manifest; null in place of one that is refused. */
  readonly objects: readonly (JsonObject | null)[];
  readonly errors?: readonly { readonly resource: string; readonly message: string }[];
  /** Why none was decoded. */
  readonly failure?: string;
}

/** Decodes manifests together; CustomResourceDefinitions among them make their kinds known to the others. */
export function decodeAll(
  schemas: Schemas,
  manifests: readonly unknown[],
  options: DecodeOptions = {},
): DecodedAll {
  const failure = failureOf(schemas, manifests);
  if (failure !== undefined) return { objects: [], failure };
  const all = withDefinitions(schemas, manifests.filter(isDefinition));
  const errors: { resource: string; message: string }[] = [];
  const objects = manifests.map((manifest) => {
    const { object, error } = decode(all, manifest, options);
    if (error !== undefined) {
      const kind = isObject(manifest) ? member(manifest, 'kind') : undefined;
      errors.push({ resource: textOf(kind), message: error });
    }
    return object ?? null;
  });
  return { objects, ...(errors.length > 0 ? { errors } : {}) };
}

/** Returns the reason why a manifest is not a Kubernetes object at all, so that the server could not store it. */
function failureOf(schemas: Schemas, manifests: readonly unknown[]): string | undefined {
  const notAnObject = 'resource is not a Kubernetes object: ';
  for (const manifest of manifests) {
    const { error } = readObject(schemas.types, typeMeta, manifest);
    if (error !== undefined) return notAnObject + error;
    if (isDefinition(manifest)) {
      const refusal = refusalOf(schemas, manifest);
      if (refusal !== undefined) return `CustomResourceDefinition${refusal}`;
    }
  }
  for (const manifest of manifests) {
    const { error } = readObject(schemas.types, head, manifest);
    if (error !== undefined) return notAnObject + error;
  }
  return undefined;
}

function refusalOf(schemas: Schemas, manifest: JsonObject): string | undefined {
  const decoded = decodeDefinition(schemas, manifest);
  if ('error' in decoded) return `: ${decoded.error}`;
  const issue = readDefinition(manifest).issues.find(({ isSchema }) => isSchema);
  return issue && ` ${issue.definition}: ${issue.message}`;
}

const typeMeta: StructType = structType('meta.v1.TypeMeta', 'TypeMeta', [
  ['kind', 'string'],
  ['apiVersion', 'string'],
]);

const head: StructType = structType('', '', [
  ['kind', 'string'],
  ['apiVersion', 'string'],
  ['metadata', 'meta.v1.ObjectMeta'],
]);

function structType(
  name: string,
  ownName: string,
  rows: readonly (readonly [string, string])[],
): StructType {
  const fields = rows.map(
    ([field, shape]): Field => ({
      name: field,
      shape: parseShape(shape),
      omitEmpty: true,
      omitZero: false,
      always: false,
      path: field,
    }),
  );
  return { name, ownName, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}

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
