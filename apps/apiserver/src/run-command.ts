import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Signals that go on to the command. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with a kubeconfig and returns its exit code.
 *
 * USE_EXISTING_CLUSTER makes the envtest package of controller-runtime use this server.
 *
 * As in shells, the code is 128 plus the number of the signal that ended the command, 127 if the command does not
 * exist, and 126 if it cannot be started.
 */
export function runCommand(command: readonly string[], kubeconfig: string): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { USE_EXISTING_CLUSTER: 'true', ...process.env, KUBECONFIG: kubeconfig },
  });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  return new Promise<number>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      const problem = isMissing ? 'command not found' : `cannot run the command: ${error.message}`;
      process.stderr.write(`error: ${problem}: ${program}\n`);
      resolve(isMissing ? 127 : 126);
    });
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  }).finally(() => {
    for (const signal of forwarded) process.off(signal, forward);
  });
}
