import { Double } from '@kubeadmit/cel';

/** The kind of a JSON value in Go; whole numbers written without a point are integers. */
export type JsonKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

/** Returns the kind of a JSON value. */
export function kindOf(value: unknown): JsonKind {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      break;
  }
  if (value === null || value === undefined) return 'null';
  if (value instanceof Double) return 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** The kind of a JSON value as Go's decoder names it. */
export function jsonKind(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'integer') return 'number';
  return kind === 'boolean' ? 'bool' : kind;
}

/** The number that a JSON number stands for, integers beyond 2^53 rounded; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Double ? value.value : undefined;
}
