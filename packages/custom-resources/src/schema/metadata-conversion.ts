import { isObject, member } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { type Shape, structNamed } from '@kubeadmit/schemas/types';
import { timeProblem } from '@kubeadmit/schemas/unstable-internal';
import { jsonKind, kindOf } from '../values/json-value.ts';

const goKinds = {
  null: 'nil',
  boolean: 'bool',
  string: 'string',
  integer: 'int64',
  number: 'float64',
  array: 'slice',
  object: 'map',
} as const;

/**
 * Why metadata cannot be converted to Go's `ObjectMeta`; undefined when it can (apimachinery,
 * `runtime.DefaultUnstructuredConverter`).
 */
export function metadataProblem(metadata: unknown, schemas: Schemas): string | undefined {
  if (metadata === null || metadata === undefined) return undefined;
  if (!isObject(metadata)) {
    const kind = goKinds[kindOf(metadata)];
    return `expected map[string]interface{}, got ${kind === 'slice' ? '[]interface {}' : kind}`;
  }
  return structProblem(metadata, 'meta.v1.ObjectMeta', schemas);
}

function structProblem(value: unknown, name: string, schemas: Schemas): string | undefined {
  if (!isObject(value)) return `cannot restore struct from: ${goKinds[kindOf(value)]}`;
  for (const { name: key, shape } of structNamed(schemas, name)?.fields ?? []) {
    const problem = valueProblem(member(value, key), shape, schemas);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(value: unknown, shape: Shape, schemas: Schemas): string | undefined {
  const kind = kindOf(value);
  if (kind === 'null') return undefined;
  const inner = (item: unknown): string | undefined =>
    valueProblem(item, shape.element as Shape, schemas);
  switch (shape.kind) {
    case 'string':
      if (kind === 'string') return undefined;
      return kind === 'integer' ? unconvertible('int64', shape) : unknownKind('string');
    case 'bool':
      return kind === 'boolean' ? undefined : unknownKind('bool');
    case 'int64':
      if (kind === 'integer' || (kind === 'number' && Number.isInteger(Number(value)))) {
        return undefined;
      }
      return kind === 'number' ? unconvertible('float64', shape) : unknownKind('int64');
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${goKinds[kind]}`;
      return firstProblem(value, inner);
    case 'map':
      if (!isObject(value)) return `cannot restore map from ${goKinds[kind]}`;
      return firstProblem(Object.values(value), inner);
    case 'struct':
      return structProblem(value, shape.struct ?? '', schemas);
    case 'time':
    case 'microtime':
      if (typeof value === 'string') return timeProblem(value, shape.kind);
      return `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`;
    default:
      return undefined;
  }
}

function firstProblem(
  values: readonly unknown[],
  problemOf: (value: unknown) => string | undefined,
): string | undefined {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unconvertible(from: string, { go }: Shape): string {
  return `cannot convert ${from} to ${go}`;
}

function unknownKind(kind: string): string {
  return `unrecognized type: ${kind}`;
}
