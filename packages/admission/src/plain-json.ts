import { Double } from '@kubeadmit/cel';
import { setKey } from '@kubeadmit/go/internal';
import { nilList } from '@kubeadmit/schemas/internal';

/** A value as it is written: with plain numbers for integral doubles, and null for the nil list. */
export function plainJson(value: unknown): unknown {
  if (value === nilList) return null;
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (let place = 0; place < value.length; place++) {
      const plain = plainJson(value[place]);
      if (plain === value[place]) continue;
      items ??= value.slice();
      items[place] = plain;
    }
    return items ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    const plain = plainJson(member);
    if (plain === member) continue;
    copy ??= { ...value };
    setKey(copy, key, plain);
  }
  return copy ?? value;
}
