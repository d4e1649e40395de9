import { spawnSync } from 'node:child_process';

/** How a command ended. */
export interface Outcome {
  readonly exitCode: number | null;
  /** Standard output and standard error together, as a terminal shows them. */
  readonly output: string;
  /** Standard output alone. */
  readonly stdout: string;
}

/** Lines of package managers that are not the program's own. */
const FOREIGN_LINE =
  /^npm warn |^\$ |^(Scope|Lockfile|Progress|Packages|Done in|Already up to date)\b|^\[ELIFECYCLE\]/;

/**
 * Runs a shell command with no terminal and no input, and without the user's startup file: bash reads it where standard
 * input is a socket, as for a remote shell.
 */
export function runCommand(command: string, cwd: string): Outcome {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], {
    cwd,
    encoding: 'utf8',
    input: '',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => !FOREIGN_LINE.test(line));
  return { exitCode: status, output: lines.join('\n').trimEnd(), stdout: stdout.trimEnd() };
}
