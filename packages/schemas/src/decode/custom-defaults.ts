import { type GroupVersionKind, type JsonObject, kindOfObject } from '@kubeadmit/apimachinery';
import { copy, dropNulls, prune, setDefaults } from '../definitions/normalize.ts';
import type { StructuralSchema } from '../definitions/structural.ts';
import { findDefinition } from '../version/custom-kinds.ts';
import type { Schemas } from '../version/schemas.ts';

/**
 * Sets the defaults of a custom resource's schema and changes nothing else, as kube-apiserver does after each
 * mutation; the argument is not modified. An object that a mutation changed to another kind, or to an unknown
 * version, gets none (apiextensions, `unstructuredDefaulter`).
 */
export function withCustomDefaults(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
): JsonObject {
  return withSchema(schemas, kind, object, setDefaults);
}

/**
 * A custom resource that was stored, as the definition has it now: without fields that it does not know any more and
 * nulls that it does not allow, with its defaults (apiextensions, `schemaCoercingDecoder`). The argument is not changed.
 */
export function withCurrentSchema(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
): JsonObject {
  return withSchema(schemas, kind, object, (read, schema) => {
    prune(read, schema);
    dropNulls(read, schema);
    setDefaults(read, schema);
  });
}

/**
 * A stored custom resource after its conversion to another version: without unknown fields and nulls that the version
 * does not allow (apiextensions, `schemaCoercingConverter`). The argument is not changed.
 */
export function withoutUnknownFields(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
): JsonObject {
  return withSchema(schemas, kind, object, (read, schema) => {
    prune(read, schema);
    dropNulls(read, schema);
  });
}

/** A copy of the object that was changed by its schema; the object itself where it has none. */
function withSchema(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
  change: (copied: JsonObject, schema: StructuralSchema) => void,
): JsonObject {
  const own = kindOfObject(object);
  if (own?.group !== kind.group || own.kind !== kind.kind) return object;
  const schema = findDefinition(schemas, own)?.version?.schema;
  if (schema === undefined) return object;
  const copied = copy(object);
  change(copied, schema);
  return copied;
}
