import type { ExitCode, Terminal } from '../terminal.ts';

/** What a command gets besides its arguments. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Says with which code the process ends. */
  finish(code: ExitCode): void;
}
