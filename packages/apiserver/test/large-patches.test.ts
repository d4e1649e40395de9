import { loadSchemas } from '@kubeadmit/schemas';
import { structNamed } from '@kubeadmit/schemas/types';
import { describe, expect, test } from 'vitest';
import { applyStrategicMerge } from '../src/patches/strategic-merge.ts';

const timeout = 60_000;
const schemas = await loadSchemas();
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

interface LargePatch {
  readonly what: string;
  readonly struct: string;
  readonly original: object;
  readonly patch: object;
  readonly field: string;
  readonly length: number;
}

// Searching each element in a list took a minute and more, in which the server answered no other request.
const cases: readonly LargePatch[] = [
  {
    what: 'new elements of a list with a merge key',
    struct: 'core.v1.Container',
    original: { env: names('a', 100_000).map((name) => ({ name })) },
    patch: { env: names('b', 100_000).map((name) => ({ name })) },
    field: 'env',
    length: 200_000,
  },
  {
    what: 'deletions from a list with a merge key',
    struct: 'core.v1.Container',
    original: { env: names('a', 100_000).map((name) => ({ name })) },
    patch: { env: names('a', 99_999).map((name) => ({ name, $patch: 'delete' })) },
    field: 'env',
    length: 1,
  },
  {
    what: 'an order of elements',
    struct: 'core.v1.Container',
    original: { env: names('a', 100_000).map((name) => ({ name })) },
    patch: {
      '$setElementOrder/env': names('a', 100_000)
        .reverse()
        .map((name) => ({ name })),
    },
    field: 'env',
    length: 100_000,
  },
  {
    what: 'new elements of a set',
    struct: 'meta.v1.ObjectMeta',
    original: { finalizers: names('a', 50_000) },
    patch: { finalizers: names('b', 100_000) },
    field: 'finalizers',
    length: 150_000,
  },
  {
    what: 'deletions from a set',
    struct: 'meta.v1.ObjectMeta',
    original: { finalizers: names('a', 100_000) },
    patch: { '$deleteFromPrimitiveList/finalizers': names('b', 100_000) },
    field: 'finalizers',
    length: 100_000,
  },
  {
    what: 'names of kept fields',
    struct: 'meta.v1.ObjectMeta',
    original: {
      annotations: Object.fromEntries(names('a', 50_000).map((name) => [name, ''])),
      finalizers: [],
    },
    patch: { annotations: { $retainKeys: names('b', 100_000) } },
    field: 'finalizers',
    length: 0,
  },
];

describe('strategic merge patches for long lists', () => {
  test.for(cases)('merges $what in less than a minute', { timeout }, (given) => {
    const { struct: name, original, patch, field, length } = given;
    const struct = structNamed(schemas, name);
    if (struct === undefined) throw new Error(`no struct ${name}`);
    const merged = applyStrategicMerge(schemas, struct, {
      original: original as never,
      patch: patch as never,
    });
    expect(merged[field]).toHaveLength(length);
  });
});
