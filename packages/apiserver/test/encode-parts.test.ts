import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { encodeBody, encodeParts } from '../src/index.ts';

const schemas = await loadSchemas();

function configMap(i: number): { readonly [name: string]: unknown } {
  return { metadata: { name: `c-${i}` }, data: { text: `<${'x'.repeat(1000)}>` } };
}

function bodyOf(value: { readonly [name: string]: unknown }) {
  return { type: 'object', value, mediaType: 'application/json', isPretty: false } as const;
}

const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' } };
const items = Array.from({ length: 1000 }, (_, i) => configMap(i));

test.each([
  ['a list', { ...list, items }],
  ['a table', { kind: 'Table', metadata: undefined, rows: items, columnDefinitions: null }],
])('%s is made in parts, none of which is long', (_, value) => {
  const parts = [...encodeParts(bodyOf(value), { schemas })] as string[];
  expect(parts.length).toBeGreaterThan(10);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
  expect(JSON.parse(parts.join(''))).toEqual(JSON.parse(JSON.stringify(value)));
  expect(parts.join('')).toBe(encodeBody(bodyOf(value), { schemas }));
});

test.each([
  ['an empty list', { ...list, items: [] }, '"items":[]}\n'],
  ['a list of one', { ...list, items: [{ metadata: {} }] }, '"items":[{"metadata":{}}]}\n'],
  ['members behind the items', { items: [{}], kind: 'List' }, '{"items":[{}],"kind":"List"}\n'],
])('%s is one part', (_, value, end) => {
  const parts = [...encodeParts(bodyOf(value), { schemas })] as string[];
  expect(parts).toHaveLength(1);
  expect(parts[0]?.endsWith(end)).toBe(true);
});

test('encodes a part when it is requested', () => {
  let made = 0;
  const counted = items.map((item) => ({
    ...item,
    get data() {
      made++;
      return {};
    },
  }));
  const parts = encodeParts(bodyOf({ ...list, items: [...items, ...counted] }), { schemas });
  parts.next();
  expect(made).toBe(0);
});
