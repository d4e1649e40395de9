import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Type } from '@kubeadmit/cel';
import type { FieldInfo } from '../fields/field-info.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { fieldNamed, fieldsOfType } from './fields-of-type.ts';

/** The fields at a path of a kind's objects, lists and maps passed through. */
export function objectFields(
  context: ServiceContext,
  kind: GroupVersionKind | undefined,
  path: readonly string[],
): readonly FieldInfo[] {
  const type = objectType(context, kind, path);
  return type === undefined ? [] : fieldsOfType(type, context);
}

/** The type at a path of a kind's objects, lists and maps passed through. */
export function objectType(
  context: ServiceContext,
  kind: GroupVersionKind | undefined,
  path: readonly string[],
): Type | undefined {
  let type = kind && context.types.rootOf(kind);
  for (const step of path) {
    type = type && fieldNamed(type, step, context)?.type;
    while (type?.kind === 'list' || type?.kind === 'map') type = type.parameters.at(-1);
  }
  return type;
}
