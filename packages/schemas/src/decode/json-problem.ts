import { isObject } from '@kubeadmit/apimachinery';
import { describeValue } from '@kubeadmit/base';
import { wrappedNumber } from './wrapped-number.ts';

/** How many levels of lists and objects Go's decoder takes. */
const deepest = 10_000;

/**
 * Returns the first value that is not JSON and its path: a Map, a Date or a function would be an object without
 * members, which hides its content from every policy. Returns `undefined` for JSON; undefined members count as
 * absent.
 */
export function jsonProblem(value: unknown): string | undefined {
  const pending: Pending[] = [{ value, key: '', parent: undefined, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: inner, depth } = next;
    if (depth >= deepest) return 'it is nested too deeply, or contains itself';
    if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) {
        if (!isPlainScalar(item)) {
          pending.push({ value: item, key: `[${index}]`, parent: next, depth: depth + 1 });
        }
      }
    } else if (isObject(inner)) {
      for (const key of Object.keys(inner)) {
        const member = inner[key];
        if (isPlainScalar(member) || member === undefined) continue;
        pending.push({ value: member, key: `.${key}`, parent: next, depth: depth + 1 });
      }
    } else if (typeof inner !== 'bigint' && wrappedNumber(inner) === undefined) {
      return `${pathOf(next)} is ${describeValue(inner)}`;
    }
  }
  return undefined;
}

interface Pending {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Pending | undefined;
  readonly depth: number;
}

function isPlainScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function pathOf(pending: Pending): string {
  const keys: string[] = [];
  for (let at: Pending | undefined = pending; at !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse().join('').replace(/^\./, '');
}
