import { findDefinition } from '../definitions/custom-kinds.ts';
import { copy, setDefaults } from '../definitions/normalize.ts';
import type { JsonObject } from '../json.ts';
import type { GroupVersionKind } from '../names/names.ts';
import type { Schemas } from '../schemas.ts';

/**
 * A custom resource with the defaults of its schema set and nothing else done to it, as kube-apiserver
 * does after each mutation; the argument is not changed.
 */
export function withCustomDefaults(
  schemas: Schemas,
  kind: GroupVersionKind,
  object: JsonObject,
): JsonObject {
  const schema = findDefinition(schemas, kind)?.version?.schema;
  if (schema === undefined) return object;
  const defaulted = copy(object);
  setDefaults(defaulted, schema);
  return defaulted;
}
