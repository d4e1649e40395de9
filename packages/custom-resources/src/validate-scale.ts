import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatType, formatValue } from '@kubeadmit/go';
import type { ScaleFields } from '@kubeadmit/schemas/definitions';
import { type Finding, invalid } from './schema/finding.ts';
import { kindOf, numberOf } from './values/json-value.ts';

const mostReplicas = 2_147_483_647;

/** Validates the fields that a scale shows (apiextensions `ValidateScaleSpec` and `ValidateScaleStatus`). */
export function validateScale(object: JsonObject, scale: ScaleFields): Finding[] {
  return [
    ...replicasFindings(object, scale.specReplicasPath),
    ...validateScaleStatus(object, scale),
  ];
}

/** Validates the fields of a scale's status. */
export function validateScaleStatus(
  object: JsonObject,
  { statusReplicasPath, labelSelectorPath }: ScaleFields,
): Finding[] {
  return [
    ...replicasFindings(object, statusReplicasPath),
    ...(labelSelectorPath === '' ? [] : selectorFindings(object, labelSelectorPath)),
  ];
}

function replicasFindings(object: JsonObject, path: string): Finding[] {
  if (path === '') return [];
  const read = readAt(object, path);
  if ('problem' in read) return [invalid(path, 0, read.problem)];
  if (!read.isFound) return [];
  const value = asGo(read.value);
  if (typeof value !== 'bigint') return [invalid(path, 0, accessorProblem(path, value, 'int64'))];
  if (value < 0n) return [invalid(path, value, 'should be a non-negative integer')];
  if (value <= BigInt(mostReplicas)) return [];
  return [invalid(path, value, `should be less than or equal to ${mostReplicas}`)];
}

function selectorFindings(object: JsonObject, path: string): Finding[] {
  const read = readAt(object, path);
  if ('problem' in read) return [invalid(path, '', read.problem)];
  if (!read.isFound || typeof read.value === 'string') return [];
  return [invalid(path, '', accessorProblem(path, asGo(read.value), 'string'))];
}

type Read = { readonly isFound: boolean; readonly value: unknown } | { readonly problem: string };

// apimachinery `unstructured.NestedFieldNoCopy`
function readAt(object: JsonObject, path: string): Read {
  const names = path.replace(/^\./, '').split('.');
  let value: unknown = object;
  for (const [i, name] of names.entries()) {
    if (value === null || value === undefined) return { isFound: false, value: undefined };
    if (!isObject(value)) {
      const wanted = 'map[string]interface{}';
      // The path of the member that was looked for.
      const at = `.${names.slice(0, i + 1).join('.')}`;
      return { problem: accessorProblem(at, asGo(value), wanted) };
    }
    if (!Object.hasOwn(value, name)) return { isFound: false, value: undefined };
    value = value[name];
  }
  return { isFound: true, value };
}

function accessorProblem(path: string, value: unknown, wanted: string): string {
  return `${path} accessor error: ${formatValue(value)} is of the type ${formatType(value)}, expected ${wanted}`;
}

// Whole numbers are integers where they are written without a point.
function asGo(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(asGo);
  const kind = kindOf(value);
  if (kind === 'number') return numberOf(value);
  if (kind !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [key, asGo(inner)]),
  );
}
