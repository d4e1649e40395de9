import { setKey } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import { nilList } from '@kubeadmit/schemas/unstable-internal';

/** Returns a value in its serialized form, with plain numbers for integral doubles, and null for a nil list. */
export function plainJson(value: unknown): unknown {
  return plainWith(value, null);
}

/**
 * Returns a value in its serialized form, with an empty list for a nil list.
 *
 * A server accepts null for a list of a custom resource only from its own policies, and not in the patch of a
 * webhook.
 */
export function withEmptyLists(value: unknown): unknown {
  return plainWith(value, []);
}

function plainWith(value: unknown, nil: null | readonly never[]): unknown {
  if (value === nilList) return nil;
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (let place = 0; place < value.length; place++) {
      const plain = plainWith(value[place], nil);
      if (plain === value[place]) continue;
      items ??= value.slice();
      items[place] = plain;
    }
    return items ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    const plain = plainWith(member, nil);
    if (plain === member) continue;
    copy ??= { ...value };
    setKey(copy, key, plain);
  }
  return copy ?? value;
}
