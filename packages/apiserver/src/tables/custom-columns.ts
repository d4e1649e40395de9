import { type KubernetesObject, member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { definitionVersion } from '../definitions/conditions.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { nameOf } from '../objects/metadata.ts';
import { ageColumn, ageOf, nameColumn } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

/** The columns of a custom resource: those of its definition, or its name and age. */
export function customColumns({ cluster }: Machinery, { resource }: Endpoint): readonly Column[] {
  const definition = cluster.definition(resource.definition ?? '');
  const version = definitionVersion(definition, resource.version);
  const declared = memberObjects(version, 'additionalPrinterColumns');
  if (declared.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }];
  return [{ ...nameColumn, cell: nameOf }, ...declared.map(declaredColumn)];
}

function declaredColumn(declared: KubernetesObject): Column {
  const type = String(member(declared, 'type') ?? 'string') as Column['type'];
  const path = String(member(declared, 'jsonPath') ?? '');
  return {
    ...textColumn(String(member(declared, 'name') ?? ''), (object, now) =>
      cellOf(object, { path, type, now }),
    ),
    type,
    format: String(member(declared, 'format') ?? ''),
    description:
      memberText(declared, 'description') ||
      `Custom resource definition column (in JSONPath format): ${path}`,
    priority: Number(member(declared, 'priority') ?? 0),
  };
}

function cellOf(
  object: KubernetesObject,
  {
    path,
    type,
    now,
  }: { readonly path: string; readonly type: Column['type']; readonly now: number },
): unknown {
  const [value] = valuesAt(object, path);
  if (value === undefined || value === null) return type === 'date' ? '<unknown>' : null;
  if (type === 'date') {
    return typeof value === 'string' && Number.isNaN(Date.parse(value))
      ? '<invalid>'
      : ageOf(value, now);
  }
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'number' ? value : null;
}

// The simple paths that definitions use: members, indexes, and `[?(@.type=="Ready")]`.
function valuesAt(object: unknown, path: string): readonly unknown[] {
  let values: unknown[] = [object];
  const steps =
    withoutOpenBracket(path).match(/\.([A-Za-z0-9_\-\\./]+?)(?=\.|\[|$)|\[[^\]]*\]/g) ?? [];
  for (const step of steps) {
    values = values
      .flatMap((value) => stepInto(value, step))
      .filter((value) => value !== undefined);
  }
  return values;
}

/** Ends a path before a bracket that is not closed: the search for its end would start again at each bracket. */
function withoutOpenBracket(path: string): string {
  const open = path.indexOf('[', path.lastIndexOf(']') + 1);
  return open === -1 ? path : path.slice(0, open);
}

function stepInto(value: unknown, step: string): readonly unknown[] {
  if (step.startsWith('.')) return [member(value, step.slice(1).replaceAll('\\', ''))];
  const inner = step.slice(1, -1);
  if (inner.startsWith("'") || inner.startsWith('"')) return [member(value, inner.slice(1, -1))];
  if (!Array.isArray(value)) return [];
  if (inner === '*') return value;
  const test = /^\?\(@\.([A-Za-z0-9_]+)\s*==\s*["']([^"']*)["']\)$/.exec(inner);
  if (test !== null) return value.filter((item) => member(item, test[1] ?? '') === test[2]);
  return [value.at(Number(inner))];
}
