import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseFieldPath, valueAt } from '../src/locate.ts';
import type { Manifest } from '../src/manifest.ts';
import { readManifests } from '../src/read.ts';
import { expressionOffset, Source } from '../src/source.ts';

/**
 * Every expression in these files is marked: the characters `§` stand right before the places that
 * are looked up, and the reader must find them again by their line and column.
 */
const file = new URL('cases/positions.yaml', import.meta.url);
const text = readFileSync(file, 'utf8');
const { manifests, problems } = readManifests(new Source('positions.yaml', text));

function expressions(manifest: Manifest): [string, string][] {
  const data = manifest.object['data'] as Record<string, string>;
  return Object.entries(data);
}

test('the file is good', () => {
  expect(problems).toEqual([]);
  expect(manifests.length).toBeGreaterThan(1);
});

const rows = manifests.flatMap((manifest) =>
  expressions(manifest).map(([key, value]) => ({ manifest, key, value })),
);

test.each(rows)('each mark is found in $key', ({ manifest, key, value }) => {
  const lines = text.split('\n');
  let marks = 0;
  for (let at = value.indexOf('§'); at !== -1; at = value.indexOf('§', at + 1)) {
    const place = manifest.place(['data', key], at);
    expect([...(lines[place.line - 1] ?? '')][place.column - 1]).toBe('§');
    marks++;
  }
  expect(marks).toBeGreaterThan(0);
});

test('marks are found one by one, not the first one again', () => {
  for (const { manifest, key, value } of rows) {
    const places = [...value.matchAll(/§/g)].map(({ index }) =>
      JSON.stringify(manifest.place(['data', key], index)),
    );
    expect(new Set(places).size).toBe(places.length);
  }
});

test.each(rows)(
  'the range of a part of $key is where it is written',
  ({ manifest, key, value }) => {
    const whole = manifest.range(['data', key]);
    for (const { index } of value.matchAll(/§\w/g)) {
      const { start, end } = manifest.range(['data', key], { start: index, end: index + 2 });
      expect(text.slice(start, end)).toMatch(/^§(?:\w|\\x41)$/);
      expect(start).toBeGreaterThanOrEqual(whole.start);
      expect(end).toBeLessThanOrEqual(whole.end);
    }
  },
);

test('ranges of values and keys', () => {
  const source = new Source(
    'a.yaml',
    'apiVersion: v1\nkind: A\nspec:\n  list:\n  - {a: "b\\n", c: d}\n  text: plain # not\n  none:\n',
  );
  const [manifest] = readManifests(source).manifests;
  const texts = (path: (string | number)[]): (string | undefined)[] =>
    [manifest?.range(path), manifest?.keyRange(path)].map(
      (range) => range && source.text.slice(range.start, range.end),
    );
  expect(texts(['spec', 'list', 0])).toEqual(['{a: "b\\n", c: d}', undefined]);
  expect(texts(['spec', 'list', 0, 'a'])).toEqual(['"b\\n"', 'a']);
  expect(texts(['spec', 'text'])).toEqual(['plain', 'text']);
  expect(texts(['spec', 'list'])).toEqual(['- {a: "b\\n", c: d}', 'list']);
  expect(texts(['spec', 'none'])[1]).toBe('none');
  expect(texts(['spec', 'missing', 'more'])).toEqual(['list:', undefined]);
});

test('a position of CEL counts code points', () => {
  expect(expressionOffset('a\n😀b', 2, 1)).toBe(4);
  expect(expressionOffset('a', 9, 9)).toBe(1);
  expect(expressionOffset('ab', 1, 9)).toBe(2);
});

test('paths of field errors', () => {
  expect(parseFieldPath('spec.validations[0].expression')).toEqual([
    'spec',
    'validations',
    0,
    'expression',
  ]);
  expect(parseFieldPath('metadata.labels[example.com/team]')).toEqual([
    'metadata',
    'labels',
    'example.com/team',
  ]);
  expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
  expect(valueAt({ a: 1 }, ['constructor'])).toBeUndefined();
});

test('a missing path resolves to its last existing parent', () => {
  const [manifest] = readManifests(
    new Source('x.yaml', 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n'),
  ).manifests;
  expect(manifest?.place(['spec', 'containers', 0, 'image'])).toEqual({ line: 5, column: 5 });
  expect(manifest?.line).toBe(1);
});

test('items of lists and of JSON keep their places', () => {
  const list =
    '{"apiVersion":"v1","kind":"List","items":[\n{"apiVersion":"v1","kind":"Pod"},\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}]}';
  const read = readManifests(new Source('x.json', list));
  expect(read.manifests.map(({ line, title }) => `${line} ${title}`)).toEqual([
    '2 Pod (no name)',
    '3 Pod x',
  ]);
});
