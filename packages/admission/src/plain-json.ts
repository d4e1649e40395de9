import { Double } from '@kubeadmit/cel';
import { setKey } from '@kubeadmit/go/internal';
import { nilList } from '@kubeadmit/schemas/internal';

/** A value as it is written: with plain numbers for integral doubles, and null for the nil list. */
export function plainJson(value: unknown): unknown {
  if (value === nilList) return null;
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(plainJson);
    return items.some((item, place) => item !== value[place]) ? items : value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const plain = plainJson(member);
    if (plain === member) continue;
    copy ??= { ...value };
    setKey(copy, key, plain);
  }
  return copy ?? value;
}
