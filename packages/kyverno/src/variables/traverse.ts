import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { Failure } from '../jmespath/steps/failure.ts';
import { Items } from '../jmespath/steps/items.ts';

/** How deep a document may nest. */
export const depthLimit = 2000;

/** Returns the replacement of a string in a document; a `Failure` ends the traversal. */
export type TextAction = (text: string, path: string) => unknown;

/**
 * A copy of a document in which an action has been applied to every string, keys included.
 *
 * The result of the action is traversed again if it is a map or a list.
 */
export function traverse(document: unknown, action: TextAction, path = '', depth = 0): unknown {
  if (depth > depthLimit) return new Failure('the document is nested too deeply');
  const changed = typeof document === 'string' ? action(document, path) : document;
  if (changed instanceof Failure) return changed;
  if (changed instanceof Items) return traverseList(changed.list, action, path, depth);
  if (Array.isArray(changed)) return traverseList(changed, action, path, depth);
  return isObject(changed) ? traverseObject(changed, action, path, depth) : changed;
}

/** Whether replacing variables in a value could give anything but the value itself. */
export function mayChange(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('{{');
  if (typeof value !== 'object' || value === null) return false;
  if (depth > depthLimit || value instanceof Items) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (mayChange(item, depth + 1)) return true;
    return false;
  }
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (key.includes('{{') || mayChange(value[key], depth + 1)) return true;
  }
  return false;
}

function traverseList(
  list: readonly unknown[],
  action: TextAction,
  path: string,
  depth: number,
): unknown {
  const result: unknown[] = [];
  for (const [at, item] of list.entries()) {
    const changed = traverse(item, action, `${path}/${at}`, depth + 1);
    if (changed instanceof Failure) return changed;
    result.push(changed);
  }
  return result;
}

function traverseObject(
  object: JsonObject,
  action: TextAction,
  path: string,
  depth: number,
): unknown {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    const newKey = action(key, path) ?? key;
    if (newKey instanceof Failure) return newKey;
    if (typeof newKey !== 'string') {
      return new Failure(`expected string after substituting variables in key "${key}"`);
    }
    const place = `${path}/${key.replaceAll('/', '\\/')}`;
    const value = traverse(object[key], action, place, depth + 1);
    if (value instanceof Failure) return value;
    setKey(result, newKey, value);
  }
  return result;
}
