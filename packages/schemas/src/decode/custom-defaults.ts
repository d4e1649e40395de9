import { type GroupVersionKind, type JsonObject, kindOfObject } from '@kubeadmit/apimachinery';
import { findDefinition } from '../definitions/custom-kinds.ts';
import { copy, setDefaults } from '../definitions/normalize.ts';
import type { Schemas } from '../schemas.ts';

/**
 * A custom resource of a kind with the defaults of its schema set and nothing else done to it, as kube-apiserver
 * does after each mutation; the argument is not changed. An object that a mutation has made one of another kind,
 * or of a version that there is not, gets none (apiextensions, `unstructuredDefaulter`).
 */
export function withCustomDefaults(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
): JsonObject {
  const own = kindOfObject(object);
  if (own?.group !== kind.group || own.kind !== kind.kind) return object;
  const schema = findDefinition(schemas, own)?.version?.schema;
  if (schema === undefined) return object;
  const defaulted = copy(object);
  setDefaults(defaulted, schema);
  return defaulted;
}
