import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { FieldInfo } from '../fields/field-info.ts';
import { fieldsOfType } from '../fields/fields-of-type.ts';
import type { ServiceContext } from '../service-context.ts';

/** The fields at a path of a kind's objects, lists and maps passed through. */
export function objectFields(
  { types }: ServiceContext,
  kind: GroupVersionKind | undefined,
  path: readonly string[],
): readonly FieldInfo[] {
  let type = kind && types.rootOf(kind);
  for (const step of path) {
    const info =
      type &&
      fieldsOfType(type, types).find(({ name, escaped }) => name === step || escaped === step);
    type = info?.type;
    while (type?.kind === 'list' || type?.kind === 'map') type = type.parameters.at(-1);
  }
  return type === undefined ? [] : fieldsOfType(type, types);
}
