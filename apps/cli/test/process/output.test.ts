import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { version } from '../../src/process/version.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

function runInShell(
  redirection: string,
  words = 'check examples/replica-limits',
): { status: number | null; stderr: string } {
  const command = `"$0" "$1" ${words} ${redirection}`;
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(
    'bash',
    ['--norc', '-o', 'pipefail', '-c', command, process.execPath, main],
    options,
  );
  return { status, stderr };
}

const commands = [
  'check examples/replica-limits',
  'version',
  '--version',
  '--help',
  'completion bash',
];

test.skipIf(!existsSync('/dev/full')).each(commands)(
  'a full disk is one line and exit code 2: %s',
  (words) => {
    const stderr = 'error: standard output: no space left on the device\n';
    expect(runInShell('> /dev/full', words)).toEqual({ status: 2, stderr });
  },
);

test('output waits for the reader of a non-blocking pipe', () => {
  // A first process fills the pipe, and its stream lets no writer wait.
  const fill = "process.stdout.write('x'.repeat(65536)); setTimeout(() => {}, 3000)";
  const command = `("$0" -e "${fill}" & sleep 0.5; "$0" "$1" version) | (sleep 3; tail -c +65537)`;
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-o', 'pipefail', '-c', command, process.execPath, main],
    { encoding: 'utf8', timeout: 30_000 },
  );
  expect({ stdout, stderr, status }).toEqual({ stdout: `${version}\n`, stderr: '', status: 0 });
});

// The verdict of a pipeline must not depend on whether the last line was written before its reader left.
test.each(['| true', '| head -1', '| head -3', '| (sleep 0.5)'])(
  'a reader that leaves early does not change the verdict: %s',
  (reader) => {
    expect(runInShell(reader)).toEqual({ status: 1, stderr: '' });
  },
);

test.each(['eval --batch -', 'lint --batch -', 'decode -'])(
  'what is asked line by line ends with its reader: %s',
  (words) => {
    const command = `(echo '{}'; sleep 0.5; echo '{}'; sleep 1) | "$0" "$1" ${words} | true`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['--norc', '-c', `${command}; echo "${'$'}{PIPESTATUS[1]}"`, process.execPath, main],
      { cwd: root, encoding: 'utf8', timeout: 30_000 },
    );
    expect(stdout).toBe('2\n');
    expect(stderr).toBe('error: standard output: the reader has closed the pipe\n');
  },
);

test.each(['version', 'check --help', 'completion bash'])(
  'a reader that leaves early has seen what it wanted of %s',
  (words) => {
    expect(runInShell('| true', words)).toEqual({ status: 0, stderr: '' });
  },
);

test.each(['check', 'lint'])('%s in a folder that is gone says so', (name) => {
  const { status, stderr } = spawnSync(
    'bash',
    [
      '--norc',
      '-c',
      'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"',
      'bash',
      ...[process.execPath, main, name, `${root}examples/required-labels`],
    ],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'error: the current working directory no longer exists\n',
  });
});
