import type { Terminal } from '../terminal.ts';

/** What a command gets besides its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The arguments of the program as they were given, the name of the command among them. */
  readonly args: readonly string[];
  /** The file of `check-thread.ts`, where threads can be started. */
  readonly checkThread?: string | undefined;
  /** Says with which code the process ends. */
  finish(code: number): void;
}
