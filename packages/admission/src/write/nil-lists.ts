import { isObject } from '@kubeadmit/apimachinery';

/**
 * A built-in object as the server reads it back: it keeps them in protobuf, which has no empty lists, so that fields
 * which are always written become null.
 */
export function withNilLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : sameOrMapped(value);
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const own = withNilLists(member);
    if (own === member) continue;
    copy ??= { ...value };
    copy[key] = own;
  }
  return copy ?? value;
}

function sameOrMapped(list: readonly unknown[]): readonly unknown[] {
  const items = list.map(withNilLists);
  return items.some((item, place) => item !== list[place]) ? items : list;
}
