import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/go/internal';
import { Failure } from '../jmespath/failure.ts';
import { Items } from '../jmespath/items.ts';

/** How deep a document may nest. */
export const depthLimit = 2000;

/** What becomes of a string at a place of a document; a `Failure` ends the traversal. */
export type TextAction = (text: string, path: string) => unknown;

/**
 * A copy of a document in which an action has been applied to every string, keys included.
 *
 * What the action gives is traversed again where it is a map or a list.
 */
export function traverse(document: unknown, action: TextAction, path = '', depth = 0): unknown {
  return visit(document, path, action, depth);
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

function visit(element: unknown, path: string, action: TextAction, depth: number): unknown {
  if (depth > depthLimit) return new Failure('the document is nested too deeply');
  const changed = typeof element === 'string' ? action(element, path) : element;
  if (changed instanceof Failure) return changed;
  if (changed instanceof Items) return visitList(changed.list, path, action, depth);
  if (Array.isArray(changed)) return visitList(changed, path, action, depth);
  return isObject(changed) ? visitObject(changed, path, action, depth) : changed;
}

function visitList(
  list: readonly unknown[],
  path: string,
  action: TextAction,
  depth: number,
): unknown {
  const result: unknown[] = [];
  for (const [at, item] of list.entries()) {
    const changed = visit(item, `${path}/${at}`, action, depth + 1);
    if (changed instanceof Failure) return changed;
    result.push(changed);
  }
  return result;
}

function visitObject(object: JsonObject, path: string, action: TextAction, depth: number): unknown {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    const newKey = action(key, path) ?? key;
    if (newKey instanceof Failure) return newKey;
    if (typeof newKey !== 'string') {
      return new Failure(`expected string after substituting variables in key "${key}"`);
    }
    const value = visit(object[key], `${path}/${key.replaceAll('/', '\\/')}`, action, depth + 1);
    if (value instanceof Failure) return value;
    setKey(result, newKey, value);
  }
  return result;
}
