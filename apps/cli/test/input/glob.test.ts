import { mkdirSync, symlinkSync } from 'node:fs';
import { chdir, cwd } from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { expandGlob, isGlob } from '../../src/input/glob.ts';
import {
  matchesName,
  matchesPath,
  parseNamePattern,
  parsePathPattern,
} from '../../src/input/name-pattern.ts';

const files = {
  'a.yaml': '',
  'b.yml': '',
  'c+1.yaml': '',
  'deep/a.yaml': '',
  'deep/er/x.yaml': '',
  'deep/.hidden/y.yaml': '',
  '.dot.yaml': '',
};

test.each([
  ['*.yaml', ['a.yaml', 'c+1.yaml']],
  ['?.y*ml', ['a.yaml', 'b.yml']],
  ['[ab].*', ['a.yaml', 'b.yml']],
  ['[!a].yml', ['b.yml']],
  ['{a,c+1}.yaml', ['a.yaml', 'c+1.yaml']],
  ['{a,{b,c}}.y{a,}ml', ['a.yaml', 'b.yml']],
  ['**/*.yaml', ['a.yaml', 'c+1.yaml', 'deep/a.yaml', 'deep/er/x.yaml']],
  ['deep/**', ['deep']],
  ['./deep/*', ['deep/a.yaml', 'deep/er']],
  ['*/a.yaml', ['deep/a.yaml']],
  ['.*.yaml', ['.dot.yaml']],
  ['nothing*', []],
])('%s', async (pattern, expected) => {
  await withFiles(files, async (folder) => {
    const before = cwd();
    chdir(folder);
    try {
      expect(expandGlob(pattern)).toEqual(expected);
      const absolute = expandGlob(`${folder}/${pattern}`);
      expect(absolute.length).toBe(expected.length);
    } finally {
      chdir(before);
    }
  });
});

test.each([
  ['a*b', 'aXXb', true],
  ['a*b', 'aXXbc', false],
  ['*a*a*', 'bab', false],
  ['*', '', true],
  ['?', '', false],
  ['?', '\u{1F600}', true],
  ['[a-c]x', 'bx', true],
  ['[a-c]x', 'dx', false],
  ['[^a-c]x', 'dx', true],
  ['[a', '[a', true],
  ['[!]', '!', true],
  ['a.b', 'aXb', false],
  ['(a|b)+', '(a|b)+', true],
  ['[a-]', '-', true],
])('the pattern %s and the name %s: %s', (pattern, name, expected) => {
  expect(matchesName(parseNamePattern(pattern), name)).toBe(expected);
});

test.each([
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/x/y/c', false],
  ['**/b/**/d', 'a/b/c/b/x/d', true],
  ['**', 'a/b', true],
  ['a/*', 'a/b/c', false],
])('the pattern %s and the path %s: %s', (pattern, path, expected) => {
  expect(matchesPath(parsePathPattern(pattern.split('/')), path.split('/'))).toBe(expected);
});

test('patterns that make others try every division of a name take no time', () => {
  const start = performance.now();
  const name = `${'a'.repeat(5000)}b`;
  expect(matchesName(parseNamePattern('*a'.repeat(100)), name)).toBe(false);
  const names = Array.from({ length: 500 }, () => 'a');
  const folders = Array.from({ length: 100 }, () => ['**', 'a']).flat();
  expect(matchesPath(parsePathPattern([...folders, 'b']), names)).toBe(false);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('a folder that links lead to in many ways is looked into once', async () => {
  await withFiles({ '20/a.yaml': '' }, async (folder) => {
    for (let depth = 0; depth < 20; depth++) {
      mkdirSync(`${folder}/${depth}`);
      for (const name of ['x', 'y', 'up']) {
        symlinkSync(name === 'up' ? '..' : `../${depth + 1}`, `${folder}/${depth}/${name}`);
      }
    }
    const found = expandGlob(`${folder}/**/**/*.yaml`);
    expect(found).toHaveLength(1);
  });
});

test('braces with too many alternatives are an error', () => {
  expect(expandGlob('{a,b}{a,b}{a,b}')).toEqual([]);
  expect(() => expandGlob('{a,b}'.repeat(40))).toThrow('expand to more than 1000 alternatives');
  expect(() => expandGlob(`{${'a,'.repeat(2000)}a}`)).toThrow(
    'expand to more than 1000 alternatives',
  );
});

test('isGlob recognises patterns', () => {
  expect(['a.yaml', '*.yaml', 'a?', '{a,b}', '-'].map(isGlob)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('reads a pattern of a million brackets once', () => {
  const pattern = parseNamePattern(`[ab]${'['.repeat(1_000_000)}`);
  expect(pattern).toHaveLength(1_000_001);
  expect(matchesName(parseNamePattern('[ab][[c'), 'a[[c')).toBe(true);
});
