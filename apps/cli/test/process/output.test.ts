import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

function runInShell(redirection: string): { status: number | null; stderr: string } {
  const command = `"$0" "$1" check examples/replica-limits ${redirection}`;
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', command, process.execPath, main],
    options,
  );
  return { status, stderr };
}

test.skipIf(!existsSync('/dev/full'))('a full disk is one line and exit code 2', () => {
  const stderr = 'error: standard output: no space left on the device\n';
  expect(runInShell('> /dev/full')).toEqual({ status: 2, stderr });
});

test('a reader that leaves early is one line and exit code 2', () => {
  const stderr = 'error: standard output: its reader is gone\n';
  expect(runInShell('| true')).toEqual({ status: 2, stderr });
});
