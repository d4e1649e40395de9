import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { runProgram, withFiles } from './program.ts';

const args = ['eval', '1 + 2'];
const answer = { exitCode: 0, stdout: '3\ntype: int\ncost: 1\n', stderr: '' };

// Newer Nodes keep compiled code themselves.
const isOurs = !('enableCompileCache' in module) && process.getuid !== undefined;

describe.runIf(isOurs)('compiled code is kept for the next run', () => {
  const run = (home: string, env: NodeJS.ProcessEnv = {}) =>
    runProgram(args, { env: { XDG_CACHE_HOME: home, ...env } });
  const filesIn = (home: string) => {
    const folder = join(home, 'kubeadmit');
    return readdirSync(folder).map((name) => join(folder, name));
  };

  test('in a file of each command that its user alone may write', async () => {
    await withFiles({}, async (home) => {
      expect(await run(home)).toEqual(answer);
      const [file = '', ...rest] = filesIn(home);
      expect(rest).toEqual([]);
      const first = statSync(file);
      expect(first.mode & 0o777).toBe(0o600);
      expect(await run(home)).toEqual(answer);
      expect(filesIn(home)).toEqual([file]);
      expect(statSync(file).ino).toBe(first.ino);
    });
  });

  test.each([
    ['that is damaged', (file: string) => writeFileSync(file, readFileSync(file).fill(0, 200))],
    ['that is empty', (file: string) => writeFileSync(file, '')],
    ['that others may write', (file: string) => chmodSync(file, 0o622)],
  ])('a file %s is written anew', async (_, change) => {
    await withFiles({}, async (home) => {
      await run(home);
      const [file = ''] = filesIn(home);
      const { size } = statSync(file);
      change(file);
      expect(await run(home)).toEqual(answer);
      expect(statSync(file).size).toBeGreaterThan(size / 2);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });
  });

  test('not where nothing can be written, or nothing shall', async () => {
    await withFiles({ file: '' }, async (home) => {
      expect(await run(join(home, 'file'))).toEqual(answer);
      expect(await run(home, { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(answer);
      expect(readdirSync(home)).toEqual(['file']);
    });
  });
});
