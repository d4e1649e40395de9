import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { findDefinition } from '../version/custom-kinds.ts';
import type { Schemas } from '../version/schemas.ts';
import { BuiltinMergeTypes } from './builtin-types.ts';
import { customMergeType } from './custom-types.ts';
import type { MergeType } from './merge-type.ts';

const builtins = new WeakMap<Schemas['types'], BuiltinMergeTypes>();

/**
 * How objects of a kind merge, from the schemas that kube-apiserver publishes for the kind's own group/version.
 *
 * Undefined when none of them has the kind: unknown kinds, versions of a definition that are not served, and kinds that
 * only a subresource of another group has, such as `autoscaling/v1 Scale`.
 */
export function mergeType(schemas: Schemas, kind: GroupVersionKind): MergeType | undefined {
  const builtin = schemas.names.kind(kind);
  return builtin?.published === false ? undefined : objectType(schemas, kind);
}

/**
 * The fields of the objects of a kind, also of the kinds that {@link mergeType} does not have because they are not
 * published for their own group/version.
 */
export function objectType(schemas: Schemas, kind: GroupVersionKind): MergeType | undefined {
  const builtin = schemas.names.kind(kind);
  if (builtin) return builtinTypes(schemas).struct(builtin.type);
  const version = findDefinition(schemas, kind)?.version;
  if (!version?.served) return undefined;
  const metadata = builtinTypes(schemas).struct('meta.v1.ObjectMeta');
  return customMergeType(version.schema, metadata);
}

function builtinTypes({ types }: Schemas): BuiltinMergeTypes {
  const made = builtins.get(types) ?? new BuiltinMergeTypes(types);
  builtins.set(types, made);
  return made;
}
