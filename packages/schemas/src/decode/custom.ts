import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import { formatJson, sortMembers } from '@kubeadmit/go';
import { copy, dropNulls, prune, setDefaults } from '../definitions/normalize.ts';
import { type StructuralSchema, valuesOf } from '../definitions/structural.ts';
import type { StructType } from '../types/type-store.ts';
import type { Schemas } from '../version/schemas.ts';
import type { Decoded, DecodeOptions } from './decoded.ts';
import { findingsOf } from './field-validation.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

/**
 * A custom resource as kube-apiserver holds it: metadata as in every object, other fields pruned and defaulted by the
 * schema of its version.
 */
export function decodeCustom(
  schemas: Schemas,
  schema: StructuralSchema,
  manifest: JsonObject,
  { fieldValidation }: DecodeOptions,
): Decoded {
  const object = copy(manifest);
  const metadata = readMetadata(schemas, object);
  if (metadata && 'error' in metadata) return { known: true, error: metadata.error };
  const gone = [...(metadata?.unknownFields ?? []), ...prune(object, schema)].sort();
  const findings = findingsOf(gone, fieldValidation);
  if (findings.error !== undefined) return { known: true, error: findings.error };
  dropNulls(object, schema);
  const refusal = coerce(schemas, object, schema, '');
  if (refusal !== undefined) return { known: true, error: refusal };
  if (metadata) object['metadata'] = metadata.object;
  setDefaults(object, schema);
  return { known: true, object, ...findings };
}

interface Metadata {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/** The metadata of an object, canonical; undefined when it has none. */
function readMetadata(
  schemas: Schemas,
  object: JsonObject,
): Metadata | { error: string } | undefined {
  if (!Object.hasOwn(object, 'metadata')) return undefined;
  const type = schemas.types.get('meta.v1.ObjectMeta') as StructType;
  const metadata = member(object, 'metadata');
  const read = readObject(schemas.types, type, metadata);
  // The server writes it as JSON first, with sorted members, and reports the first wrong field of that.
  if (!read.object) return { error: errorOf(schemas, type, sortMembers(metadata)) };
  return {
    object: writeObject(schemas.types, type, read.object),
    unknownFields: read.unknownFields.map((path) => `metadata.${path}`),
  };
}

function errorOf(schemas: Schemas, type: StructType, value: unknown): string {
  return readObject(schemas.types, type, value).error ?? '';
}

/** Go's text about metadata that does not fit its types; undefined when it does. */
export function metadataError(schemas: Schemas, metadata: unknown): string | undefined {
  const read = readMetadata(schemas, { metadata });
  return read && 'error' in read ? read.error : undefined;
}

/** Makes the metadata of embedded objects canonical (apiextensions, `objectmeta.Coerce`); text of refusal, if any. */
function coerce(
  schemas: Schemas,
  value: unknown,
  schema: StructuralSchema | undefined,
  path: string,
): string | undefined {
  if (!schema) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const refusal = coerce(schemas, item, schema.items, `${path}[${index}]`);
      if (refusal !== undefined) return refusal;
    }
  }
  if (!isObject(value)) return undefined;
  const child = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const key of Object.keys(value)) {
    const refusal = schema.embeddedResource
      ? coerceMeta(schemas, value, key, child(key))
      : undefined;
    if (refusal !== undefined) return refusal;
    const property = schema.properties.get(key);
    const place = property ? child(key) : `${path}[${key}]`;
    const inner = coerce(schemas, value[key], property ?? valuesOf(schema), place);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function coerceMeta(
  schemas: Schemas,
  object: JsonObject,
  key: string,
  place: string,
): string | undefined {
  const value = object[key];
  const invalid = `${place}: Invalid value: ${formatJson(value, { isSorted: true })}: `;
  if ((key === 'apiVersion' || key === 'kind') && typeof value !== 'string') {
    return `${invalid}must be a string`;
  }
  if (key !== 'metadata') return undefined;
  const metadata = readMetadata(schemas, object);
  if (metadata && 'error' in metadata) return invalid + metadata.error;
  if (metadata) object['metadata'] = metadata.object;
  return undefined;
}
