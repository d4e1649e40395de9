import { isObject } from '@kubeadmit/apimachinery';
import { quantityOf } from '@kubeadmit/apimachinery/quantity';
import { shapeOf, type Value } from './value.ts';

/** Whether a default cannot replace an empty or absent value, because its type is another one. */
export function isOfOtherType(value: Value, otherwise: unknown): boolean {
  if (value.kind === 'projection') return !Array.isArray(otherwise) || otherwise.length > 0;
  const shape = shapeOf(value);
  switch (shape?.kind) {
    case undefined:
    case 'any':
      return false;
    case 'bool':
      return typeof otherwise !== 'boolean';
    case 'int32':
    case 'int64':
    case 'float64':
      return typeof otherwise !== 'number' && typeof otherwise !== 'bigint';
    case 'intorstring':
      return typeof otherwise !== 'string' && typeof otherwise !== 'number';
    case 'quantity':
      return typeof otherwise !== 'string' || quantityOf(otherwise) === undefined;
    case 'string':
    case 'time':
      return typeof otherwise !== 'string';
    case 'list':
      return !Array.isArray(otherwise);
    case 'map':
      return !isObject(otherwise);
    default:
      return true;
  }
}
