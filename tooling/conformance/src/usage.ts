import { COMMANDS } from './commands.ts';

/** Exit code for wrong usage. */
export const USAGE_EXIT = 2;

/** The commands, for a usage text. */
export function usageOfCommands(): string {
  return `commands: ${COMMANDS.map((command) => command.name).join(', ')}`;
}

/** The oracle program that the environment variable ORACLE names. */
export function oracleProgram(): string | undefined {
  return process.env['ORACLE'] || undefined;
}

/** The program that an environment variable names. @throws Error where it names none */
export function programOf(variable: string): string {
  const program = process.env[variable] ?? '';
  if (program === '') throw new Error(`${variable} must name a program`);
  return program;
}

/** Writes a line to standard error and returns the given exit code. */
export function complain(text: string, exitCode = 0): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}
