import { type ExitCode, type Terminal, withoutReader } from '../process/terminal.ts';

/** The context of a command in addition to its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The arguments of the program with the name of the command; `help serve` is `serve --help`. */
  readonly args: readonly string[];
  /** Sets the exit code of the process. */
  finish(code: number): void;
}

/** Runs a command with its arguments, options and the terminal, and returns the exit code. */
type Run = (...given: never[]) => Promise<ExitCode>;

/**
 * Returns the action of a command, which loads its implementation and ends with its exit code, even if its reader
 * leaves.
 */
export function running(
  context: CommandContext,
  load: () => Promise<Run>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const run = (await load()) as (...all: unknown[]) => Promise<ExitCode>;
    // The last is the command itself.
    context.finish(await run(...given.slice(0, -1), withoutReader(context.terminal)));
  };
}
