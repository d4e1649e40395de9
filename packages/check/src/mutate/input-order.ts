import { listOf } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { isRecord } from '@kubeadmit/manifest';

/**
 * Returns an object with its fields in the author's order, followed by added fields. Elements of lists keep their
 * positions.
 */
export function inInputOrder(value: unknown, written: unknown): unknown {
  if (Array.isArray(value)) {
    const list = listOf(written);
    return value.map((element, i) => inInputOrder(element, counterpart(element, list, i)));
  }
  if (!isRecord(value) || !isRecord(written)) return value;
  const ordered: Record<string, unknown> = {};
  const keys = new Set([...Object.keys(written), ...Object.keys(value)]);
  for (const key of keys) {
    if (!Object.hasOwn(value, key)) continue;
    const own = Object.hasOwn(written, key) ? written[key] : undefined;
    setKey(ordered, key, inInputOrder(value[key], own));
  }
  return ordered;
}

// Elements with names are found by them, since mutations may have put others before them.
function counterpart(element: unknown, written: readonly unknown[], index: number): unknown {
  const name = nameOf(element);
  return name === undefined
    ? written[index]
    : (written.find((each) => nameOf(each) === name) ?? undefined);
}

function nameOf(element: unknown): unknown {
  return isRecord(element) && Object.hasOwn(element, 'name') ? element['name'] : undefined;
}
