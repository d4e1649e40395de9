import { expect, test } from 'vitest';
import { applyJsonPatch } from '../src/json-patch/apply-json-patch.ts';
import type { Json, PatchOperation } from '../src/json-patch/operation.ts';

const document = { metadata: { labels: { 'a/b': 'x', 'c~d': 'y' } }, list: [1, 2, 3], none: null };

interface PatchCase {
  readonly operations: readonly PatchOperation[];
  /** The text of the error, or the member that has changed with its new value. */
  readonly result: string | Readonly<Record<string, Json>>;
}

function add(path: string, value: Json): PatchOperation {
  return { op: 'add', path, value };
}

function remove(path: string): PatchOperation {
  return { op: 'remove', path };
}

const cases: readonly PatchCase[] = [
  { operations: [add('/list/0', 0)], result: { list: [0, 1, 2, 3] } },
  { operations: [add('/list/-', 4)], result: { list: [1, 2, 3, 4] } },
  { operations: [add('/list/-1', 4)], result: { list: [1, 2, 3, 4] } },
  { operations: [remove('/list/-1')], result: { list: [1, 2] } },
  { operations: [remove('/list/1'), remove('/list/1')], result: { list: [1] } },
  {
    operations: [remove('/metadata/labels/a~1b')],
    result: { metadata: { labels: { 'c~d': 'y' } } },
  },
  {
    operations: [{ op: 'replace', path: '/metadata/labels/c~0d', value: 'z' }],
    result: { metadata: { labels: { 'a/b': 'x', 'c~d': 'z' } } },
  },
  {
    operations: [{ op: 'move', from: '/list/0', path: '/list/2' }],
    result: { list: [2, 3, 1] },
  },
  {
    operations: [{ op: 'copy', from: '/list', path: '/more' }, add('/more/0', 0)],
    result: { more: [0, 1, 2, 3] },
  },
  { operations: [{ op: 'test', path: '/list/0', value: 1 }], result: {} },
  {
    operations: [add('/list/9', 0)],
    result:
      "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  },
  {
    operations: [add('/gone/x', 0)],
    result: 'add operation does not apply: doc is missing path: "/gone/x": missing value',
  },
  {
    operations: [remove('/gone')],
    result:
      "error in remove for path: '/gone': Unable to remove nonexistent key: gone: missing value",
  },
  { operations: [{ op: 'merge', path: '/list' }], result: 'Unexpected kind: merge' },
];

test.each(cases)('$operations', ({ operations, result }) => {
  const before = structuredClone(document);
  const expected =
    typeof result === 'string'
      ? { outcome: 'error', message: result }
      : { outcome: 'patched', document: { ...document, ...result } };
  expect(applyJsonPatch(document, operations)).toEqual(expected);
  expect(document).toEqual(before);
});

test('does not treat a failed test operation as an error', () => {
  const operations = [add('/list/-', 4), { op: 'test', path: '/list/0', value: 2 }];
  expect(applyJsonPatch(document, operations)).toEqual({ outcome: 'testFailed' });
});

test('no null equals a null of the document', () => {
  const operations = [{ op: 'test', path: '/none', value: null }];
  expect(applyJsonPatch(document, operations)).toEqual({ outcome: 'testFailed' });
});

test('members called __proto__ are members', () => {
  const result = applyJsonPatch({}, [add('/__proto__', { a: 1 })]);
  const { document: patched } = result as { document: object };
  expect(Object.keys(patched)).toEqual(['__proto__']);
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"a":1}}');
});
