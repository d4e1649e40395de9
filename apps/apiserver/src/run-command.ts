import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Signals that go on to the command. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with a kubeconfig and returns its exit code.
 *
 * As in shells, the code is 128 plus the number of the signal that ended the command, 127 if the command does not
 * exist, and 126 if it cannot be started.
 */
export function runCommand(command: readonly string[], kubeconfig: string): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  return new Promise<number>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      process.stderr.write(`error: cannot run ${program}: ${error.message}\n`);
      resolve(error.code === 'ENOENT' ? 127 : 126);
    });
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  }).finally(() => {
    for (const signal of forwarded) process.off(signal, forward);
  });
}
