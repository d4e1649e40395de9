import { chdir, cwd } from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { expandGlob, isGlob } from '../../src/input/glob.ts';

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

test('what a pattern is', () => {
  expect(['a.yaml', '*.yaml', 'a?', '{a,b}', '-'].map(isGlob)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});
