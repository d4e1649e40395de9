import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { repositoryPath } from './repository.ts';

/** The options of a program run, apart from its arguments. */
interface RunOptions {
  readonly input?: string;
  /** A folder of the repository. */
  readonly folder?: string;
  readonly exitCodes?: readonly number[];
}

const built = repositoryPath('apps/cli/dist/main.js');

/** The built program, or its sources in a clone without a build. */
const program: readonly string[] = existsSync(built)
  ? [built]
  : [
      '--import',
      import.meta.resolve('tsx'),
      '--conditions=@kubeadmit/source',
      repositoryPath('apps/cli/src/main.ts'),
    ];

/**
 * Runs the program and returns its standard output.
 *
 * @throws Error if it ends with an unexpected exit code
 */
export function runProgram(
  args: readonly string[],
  { input = '', folder = '', exitCodes = [0] }: RunOptions = {},
): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...program, ...args], {
    input,
    encoding: 'utf8',
    cwd: repositoryPath(folder),
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  });
  if (status === null || !exitCodes.includes(status))
    throw new Error(`kubeadmit ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.trimEnd();
}
