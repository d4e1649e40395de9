import { describeValue } from '@kubeadmit/base';
import type { Resource } from '../names/names.ts';
import { requireSchemas } from './require-schemas.ts';
import type { Schemas } from './schemas.ts';

/** The meaning of a name that a user typed. */
export type Resolution =
  /** The resource that has the name. */
  | { readonly resource: Resource }
  /** Nothing has the name; the names that look like it. */
  | { readonly suggestions: readonly string[] };

/**
 * The resource that kubectl takes a name for: plural, singular, short name or kind, in any case, alone or as
 * `name.group` or `name.version.group`; a group may be cut (`deploy.app`). Where several groups have it, the first group
 * in the server's order wins, and its preferred version.
 */
export function resolveName(schemas: Schemas, typed: string): Resolution {
  requireSchemas('resolveName', schemas);
  if (typeof typed !== 'string') {
    throw new TypeError(`resolveName: expected a name, got ${describeValue(typed)}`);
  }
  const name = typed.toLowerCase();
  const [first = '', ...rest] = name.split('.');
  const qualified = rest.join('.');
  const [version = '', ...group] = rest;
  const tests: readonly ((row: Resource) => boolean)[] =
    rest.length === 0
      ? [() => true]
      : [
          (row) => row.version === version && row.group === group.join('.'),
          (row) => row.group === qualified,
          (row) => row.group.startsWith(qualified),
        ];
  const found = tests.map((test) => matching(schemas, first, test)).find((rows) => rows.length > 0);
  const best = found?.[0];
  return best ? { resource: best } : { suggestions: suggest(schemas, first) };
}

function matching(
  schemas: Schemas,
  name: string,
  accept: (row: Resource) => boolean,
): readonly Resource[] {
  const order = new Map(
    schemas.names.groups.flatMap(([group, versions]) =>
      versions.map((version): [string, number] => [`${group}/${version}`, 0]),
    ),
  );
  let place = 0;
  for (const key of order.keys()) order.set(key, place++);
  const rank = (row: Resource): number => order.get(`${row.group}/${row.version}`) ?? place;
  const rows = schemas.names.resources.filter(accept).sort((a, b) => rank(a) - rank(b));
  const tests: readonly ((row: Resource) => boolean)[] = [
    (row) => row.resource === name || row.singular === name || row.kind.toLowerCase() === name,
    (row) => row.shortNames.includes(name),
  ];
  for (const test of tests) {
    const found = rows.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

const maxSuggestions = 3;

function suggest(schemas: Schemas, name: string): string[] {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const near = new Map<string, number>();
  for (const row of schemas.names.resources) {
    for (const known of [row.resource, row.singular, ...row.shortNames]) {
      const far = distance(name, known);
      if (far <= limit && known.length > 2)
        near.set(row.resource, Math.min(far, near.get(row.resource) ?? far));
    }
  }
  return [...near]
    .sort(([, a], [, b]) => a - b)
    .slice(0, maxSuggestions)
    .map(([resource]) => resource);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
