import type { Configuration } from '../configuration/configuration.ts';
import type { Answerer } from './answerer.ts';

/**
 * The tasks that the first process gives to an answering one: its configuration, then the methods of an answerer.
 */
export interface Tasks extends Answerer {
  configure(configuration: Configuration): Promise<void>;
}

/** A task that was sent, with the number of its answer. */
export interface Order {
  readonly id: number;
  readonly task: keyof Tasks;
  readonly given: readonly unknown[];
}

/** The outcome of a task. */
export type Report =
  | { readonly id: number; readonly value: unknown; readonly problem?: undefined }
  | { readonly id: number; readonly problem: TaskProblem };

/** An error on its way to another process. */
export interface TaskProblem {
  readonly message: string;
  /** The error code of the system, such as `EADDRINUSE`. */
  readonly code?: string | undefined;
  /** The system call that failed, such as `bind`. */
  readonly syscall?: string | undefined;
}

/** The message of a process that is ready for tasks. */
export const started: Report = { id: 0, value: undefined };

/** Returns the parts of an error that the other process needs. */
export function problemOf(error: unknown): TaskProblem {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return { message, code, syscall };
}

/** Converts a message from the other process to an error. */
export function errorOf({ message, ...rest }: TaskProblem): Error {
  return Object.assign(new Error(message), rest);
}
