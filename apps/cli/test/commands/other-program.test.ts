import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test } from 'vitest';
import { programFile } from '../../src/commands/other-program.ts';
import { CommandFailure } from '../../src/process/terminal.ts';

const program = {
  command: 'fly',
  summary: 'fly',
  packageName: '@kubeadmit/plane',
  entry: 'dist/run-program.js',
  run: 'runProgram',
  folder: 'plane',
};
const manifest = '{"name": "@kubeadmit/plane"}';

function find(files: Readonly<Record<string, string>>): { readonly folder: string; run(): string } {
  const folder = folderUntil(onTestFinished, { 'cli/dist/main.js': '', ...files });
  return { folder, run: () => programFile(program, join(folder, 'cli/dist')) };
}

describe('the program of another package', () => {
  test.each(['plane', 'cli/node_modules/@kubeadmit/plane'])('is found in %s', (place) => {
    const entry = `${place}/dist/run-program.js`;
    const { folder, run } = find({ [`${place}/package.json`]: manifest, [entry]: '' });
    expect(run()).toBe(join(folder, entry));
  });

  test.each(['plane', 'cli/node_modules/@kubeadmit/plane'])(
    'that is not built in %s is named with the command that builds it',
    (place) => {
      const { folder, run } = find({ [`${place}/package.json`]: manifest });
      const file = join(folder, place, 'dist/run-program.js');
      const message = `@kubeadmit/plane is not built: ${file} does not exist; run \`npx pnpm build\` in the repository, or install the package again`;
      expect(run).toThrow(new CommandFailure(message));
    },
  );

  test('that is not installed is reported with its package', () => {
    const message = '`kubeadmit fly` is in a separate package; install `@kubeadmit/plane`';
    expect(find({}).run).toThrow(new CommandFailure(message));
  });
});
