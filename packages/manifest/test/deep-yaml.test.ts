import { expect, test } from 'vitest';
import { readManifests, Source } from '../src/index.ts';

function lines(count: number, line: (indent: string, at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(' '.repeat(at * 2), at)).join('\n');
}

const texts: Readonly<Record<string, (depth: number) => string>> = {
  brackets: (depth) => '['.repeat(depth) + ']'.repeat(depth),
  'brackets that are not closed': (depth) => '['.repeat(depth),
  braces: (depth) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`,
  dashes: (depth) => `${'- '.repeat(depth)}a`,
  'question marks': (depth) => `${'? '.repeat(depth)}a`,
  mappings: (depth) => lines(depth, (indent) => `${indent}a:`),
  sequences: (depth) => lines(depth, (indent) => `${indent}-`),
  anchors: (depth) => lines(depth, (indent, at) => `${indent}a: &x${at}`),
  tags: (depth) => lines(depth, (indent) => `${indent}a: !!map`),
};

test.each(Object.entries(texts))('%s end in a problem, and the reader goes on', (_name, make) => {
  for (const depth of [510, 2000]) {
    const { manifests, problems } = readManifests(new Source('a.yaml', make(depth)));
    expect({ manifests, messages: problems.map(({ message }) => message) }).toEqual({
      manifests: [],
      messages: ['nested too deeply'],
    });
  }
});

const deepJson = (depth: number): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;

test('JSON is read no deeper than YAML, so that every object has positions', () => {
  const [manifest] = readManifests(new Source('a.json', deepJson(499))).manifests;
  expect(manifest?.place(['kind'])).toEqual({ line: 1, column: 27 });
  for (const name of ['a.json', 'a.yaml', '<stdin>']) {
    const { manifests, problems } = readManifests(new Source(name, deepJson(500)));
    expect(manifests).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^(?:nested too deeply|exceeded max depth)$/),
    ]);
  }
});

test('realistic depths are read', () => {
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ${'['.repeat(400)}${']'.repeat(400)}\n`;
  expect(readManifests(new Source('a.yaml', text)).problems).toEqual([]);
});

test('does not count brackets in strings as nesting', () => {
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  log: |\n    ${'\\e[0m {'.repeat(2000)}\n`;
  expect(readManifests(new Source('a.yaml', text)).problems).toEqual([]);
});

// V8 ends the process, and this test with it, where its stack ends within a regular expression that it compiles.
test('two deep files in a row do not end the process', () => {
  const json = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  for (const text of ['['.repeat(10_000) + ']'.repeat(10_000), json, json]) {
    expect(readManifests(new Source('a', text)).problems).toHaveLength(1);
  }
});
