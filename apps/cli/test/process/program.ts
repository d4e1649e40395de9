import { fileURLToPath } from 'node:url';
import { type Ended, type RunOptions, runProgram as run } from '@kubeadmit/test-support';

/** The built program, as its users run it. */
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Runs the program in a separate process; the variables are added to those of the test. */
export function runProgram(
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<Ended> {
  return run(process.execPath, [main, ...args], { ...options, env: { ...process.env, ...env } });
}
