import { printable } from '../output/style.ts';
import type { OutputTarget } from '../output/targets.ts';
import { CommandFailure, type ExitCode, type Terminal, write } from '../process/terminal.ts';

const clear = '\u001b[2J\u001b[3J\u001b[H';

/** The keys that end a watch: `q`, Ctrl-C and Ctrl-D. */
export const quitKeys: ReadonlySet<string> = new Set(['q', '\u0003', '\u0004']);

/** The keys that ask for everything again. */
export const againKeys: ReadonlySet<string> = new Set(['\r', '\n']);

/** Whether a report is written for programs; such reports cover complete runs. */
export function isForPrograms(output: readonly OutputTarget[] = []): boolean {
  return output.some(({ format, file }) => format !== 'text' || file !== undefined);
}

/**
 * Refuses an option that cannot be combined with `--watch`.
 *
 * @throws CommandFailure for the first that is given, saying why.
 */
export function refuseBesideWatch(others: Readonly<Record<string, boolean>>, why: string): void {
  const [given] = Object.entries(others).find(([, isGiven]) => isGiven) ?? [];
  if (given === undefined) return;
  throw new CommandFailure(`--watch cannot be combined with ${given}: ${why}`);
}

/** The title above a run that changes triggered. */
export function changesTitle(changed: readonly string[]): string {
  return `changed: ${changed.length > 3 ? `${changed.length} files` : changed.join(', ')}\n`;
}

/** Runs a command on a cleared screen between a title and a help line; a failing command does not end the watch. */
export async function runOnScreen(
  { stdout, stderr }: Terminal,
  { title, help }: { readonly title: string; readonly help: string },
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (stdout.isTTY === true) await write(stdout, clear);
  await write(stdout, title);
  let code: ExitCode;
  try {
    code = await run();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    stderr.write(`error: ${printable(error.message)}\n`);
    code = error.exitCode;
  }
  await write(stdout, help);
  return code;
}
