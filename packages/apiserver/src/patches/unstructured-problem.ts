import { isPlainObject } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import { decodeBase64 } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { type Shape, type StructType, structNamed } from '@kubeadmit/schemas/types';

/**
 * Why a value cannot become an object of a struct, in the words of the conversion that strategic merge patches go
 * through (apimachinery `runtime.DefaultUnstructuredConverter`); undefined where it can, or where the words are those
 * of decoding.
 */
export function unstructuredProblem(
  schemas: Schemas,
  struct: StructType,
  value: unknown,
): string | undefined {
  if (!isPlainObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
  for (const { name, shape } of struct.fields) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    const problem = problemOf(schemas, shape, own);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(schemas: Schemas, shape: Shape, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (shape.kind) {
    case 'struct': {
      const struct = structNamed(schemas, shape.struct ?? '');
      return struct && unstructuredProblem(schemas, struct, value);
    }
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstProblem(schemas, shape, value);
    case 'map':
      if (!isPlainObject(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstProblem(schemas, shape, Object.values(value));
    case 'bytes': {
      const read = typeof value === 'string' ? decodeBase64(value) : undefined;
      return read && 'error' in read ? `error decoding from json: ${read.error}` : undefined;
    }
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return scalarProblem(shape.kind, value);
    default:
      return undefined;
  }
}

function firstProblem(
  schemas: Schemas,
  { element }: Shape,
  values: readonly unknown[],
): string | undefined {
  if (element === undefined) return undefined;
  for (const value of values) {
    const problem = problemOf(schemas, element, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function scalarProblem(wanted: string, value: unknown): string | undefined {
  const kind = kindOf(value);
  const isNumber = kind === 'int64' || kind === 'float64';
  if (wanted === kind || (wanted === 'float64' && isNumber)) return undefined;
  if (wanted.startsWith('int') && isNumber) {
    const isWhole = kind === 'int64' || Number.isInteger(Number(value));
    return isWhole ? undefined : `cannot convert ${kind} to ${wanted}`;
  }
  // Go converts an integer to a text as the character of that number, which is refused by name.
  return wanted === 'string' && kind === 'int64'
    ? 'cannot convert int64 to string'
    : `unrecognized type: ${wanted}`;
}

// The kind of a value as Go reflects it.
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (value instanceof Double) return 'float64';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map';
  }
}
