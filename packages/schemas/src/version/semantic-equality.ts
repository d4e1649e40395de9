import { compareQuantities, quantityOf } from '@kubeadmit/apimachinery/quantity';
import type { Shape } from '../types/shape.ts';
import type { Schemas } from './schemas.ts';

/**
 * Whether two structs of one type are the same to Kubernetes: a list or map that is empty is as good as none, and
 * quantities are equal by their amount however they are written (apimachinery api/equality `Semantic.DeepEqual`).
 *
 * @param name the name of the struct, such as `core.v1.PodSpec`; empty for one that no kind has
 */
export function isSameStruct(schemas: Schemas, name: string, left: object, right: object): boolean {
  const fields = name === '' ? undefined : schemas.types.get(name)?.byName;
  const [one, other] = [left, right] as Readonly<Record<string, unknown>>[];
  const isSameField = (key: string): boolean =>
    isSameValue(schemas, fields?.get(key)?.shape, own(one, key), own(other, key));
  return (
    Object.keys(left).every(isSameField) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || isSameField(key))
  );
}

function own(object: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function isSameValue(
  schemas: Schemas,
  shape: Shape | undefined,
  left: unknown,
  right: unknown,
): boolean {
  if (left === right) return true;
  switch (shape?.kind) {
    case 'quantity':
      return isSameQuantity(left, right);
    case 'bytes':
      return (left ?? '') === (right ?? '');
    case 'any':
      // Go compares the bytes.
      return JSON.stringify(left) === JSON.stringify(right);
    default:
      return isContainer(left) || isContainer(right)
        ? isSameContainer(schemas, shape, left, right)
        : false;
  }
}

function isSameQuantity(left: unknown, right: unknown): boolean {
  const amount = typeof left === 'string' ? quantityOf(left) : undefined;
  const other = typeof right === 'string' ? quantityOf(right) : undefined;
  return amount !== undefined && other !== undefined && compareQuantities(amount, other) === 0;
}

function isSameContainer(
  schemas: Schemas,
  shape: Shape | undefined,
  left: unknown,
  right: unknown,
): boolean {
  const isStruct = shape?.kind === 'struct';
  if (!isStruct && isEmpty(left) && isEmpty(right)) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameValue(schemas, shape?.element, item, right[index]))
    );
  }
  if (isStruct || shape === undefined)
    return isSameStruct(schemas, shape?.struct ?? '', left, right);
  const keys = Object.keys(left);
  const [one, other] = [left, right] as Readonly<Record<string, unknown>>[];
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSameValue(schemas, shape.element, own(one, key), own(other, key)),
    )
  );
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return isContainer(value) && Object.keys(value).length === 0;
}
