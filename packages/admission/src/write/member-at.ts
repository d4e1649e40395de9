import { member } from '@kubeadmit/apimachinery';

/** The value at a path of members; undefined where nothing is. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((own, name) => member(own, name), value);
}
