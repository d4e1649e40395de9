import { isPlainObject } from '@kubeadmit/base';

/**
 * Whether two JSON values have the same types and contents, members in any order (Go's `reflect.DeepEqual`): `1` and
 * `1.0` differ. Instances of a class are equal if all their members are.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left === null || right === null) return false;
  if (Array.isArray(left)) return Array.isArray(right) && sameElements(left, right);
  if (Array.isArray(right)) return false;
  return sameClass(left, right) && sameMembers(left as Members, right as Members);
}

type Members = Readonly<Record<string, unknown>>;

function sameElements(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (!deepEqual(left[at], right[at])) return false;
  return true;
}

function sameClass(left: object, right: object): boolean {
  return isPlainObject(left)
    ? isPlainObject(right)
    : Object.getPrototypeOf(left) === Object.getPrototypeOf(right);
}

function sameMembers(left: Members, right: Members): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    const member = right[key];
    // An identical value cannot come from a prototype, because JSON never contains members of prototypes.
    if (left[key] !== member && !(Object.hasOwn(right, key) && deepEqual(left[key], member))) {
      return false;
    }
  }
  return true;
}
