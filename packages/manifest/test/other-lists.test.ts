import { expect, test } from 'vitest';
import { readManifests, Source } from '../src/index.ts';

const item = '{apiVersion: v1, kind: Secret, metadata: {name: item}}';

/** Texts of which `kubectl annotate --local -o json` 1.37 reads the item only. */
const texts = [
  ['a built-in kind', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nitems: [${item}]\n`],
  [
    'a custom resource',
    `apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: a}\nitems: [${item}]\n`,
  ],
  ['a misspelled list', `apiVersion: v1\nkind: list\nitems: [${item}]\n`],
  [
    'JSON',
    '{"apiVersion":"v1","kind":"Foo","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"item"}}]}',
  ],
  ['an empty list', 'apiVersion: v1\nkind: Foo\nitems: []\n'],
] as const;

test.each(texts)('refuses an object that clients read as a list: %s', (_, text) => {
  const { manifests, problems } = readManifests(new Source('a.yaml', text));
  expect(manifests).toEqual([]);
  expect(problems).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('rename the field, or use the kind `List`'),
    }),
  ]);
  expect(problems[0]?.isForeign).not.toBe(true);
});

test('reads an object with other `items`', () => {
  const text = 'apiVersion: example.com/v1\nkind: Foo\nitems: {a: 1}\nspec: {items: [a]}\n';
  const { manifests, problems } = readManifests(new Source('a.yaml', text));
  expect(problems).toEqual([]);
  expect(manifests.map(({ kind }) => kind)).toEqual(['Foo']);
});
