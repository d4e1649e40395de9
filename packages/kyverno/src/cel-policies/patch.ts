import {
  formatGroupVersionKind,
  type GroupVersionKind,
  isObject,
  type JsonObject,
} from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import {
  applyConfiguration,
  applyJsonPatch,
  configurationOf,
  type Json,
  operationsOf,
  type PatchObject,
} from '@kubeadmit/mutator';
import type { Schemas } from '@kubeadmit/schemas';
import { mergeType } from '@kubeadmit/schemas/merge';

/** The type of a mutation's patch. */
export type PatchType = 'ApplyConfiguration' | 'JSONPatch';

/** The object after the mutation, or the reason why the mutation cannot be applied. */
export function patchObject(
  type: PatchType,
  value: Value,
  object: JsonObject,
  kind: GroupVersionKind,
  schemas: Schemas,
): JsonObject | string {
  if (type === 'JSONPatch') return patched(value, object);
  const data = listsOf(object);
  const configuration = configurationOf(value, { isData: (list) => data.has(list) });
  if (typeof configuration === 'string') return configuration;
  const applied = applyConfiguration({
    patch: {
      ...configuration,
      apiVersion: object['apiVersion'] as string,
      kind: object['kind'] as string,
    },
    object: object as PatchObject,
    type: mergeType(schemas, kind),
    kind: formatGroupVersionKind(kind),
  });
  return applied.outcome === 'error' ? applied.message : (applied.object as JsonObject);
}

function patched(value: Value, object: JsonObject): JsonObject | string {
  const operations = operationsOf(value);
  if (typeof operations === 'string') return operations;
  const result = applyJsonPatch(object as Json, operations);
  if (result.outcome === 'testFailed') return object;
  if (result.outcome === 'panic') return 'JSON Patch: the patch cannot be applied';
  if (result.outcome === 'error') return `JSON Patch: ${result.message}`;
  return isObject(result.document) ? result.document : 'JSON Patch: no object is left';
}

/** The lists in an object, as opposed to those that an expression builds. */
function listsOf(value: unknown, found: Set<object> = new Set()): Set<object> {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) found.add(value);
  for (const item of Object.values(value)) listsOf(item, found);
  return found;
}
