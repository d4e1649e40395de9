import type { Configuration } from '../configuration/configuration.ts';
import type { Answerer } from './answerer.ts';

/** What the first process asks of one that answers: its configuration, and then what an answerer does. */
export interface Tasks extends Answerer {
  configure(configuration: Configuration): Promise<void>;
}

/** A task on its way, with the number of its answer. */
export interface Order {
  readonly id: number;
  readonly task: keyof Tasks;
  readonly given: readonly unknown[];
}

/** What became of a task. */
export type Report =
  | { readonly id: number; readonly value: unknown; readonly problem?: undefined }
  | { readonly id: number; readonly problem: TaskProblem };

/** An error on its way to another process. */
export interface TaskProblem {
  readonly message: string;
  /** What the system calls it, such as `EADDRINUSE`. */
  readonly code?: string | undefined;
  /** What was asked of the system, such as `bind`. */
  readonly syscall?: string | undefined;
}

/** What a process says when it can be given tasks. */
export const started: Report = { id: 0, value: undefined };

/** Takes of an error what the other side needs of it. */
export function problemOf(error: unknown): TaskProblem {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return { message, code, syscall };
}

/** Makes an error of what came from the other side. */
export function errorOf({ message, ...rest }: TaskProblem): Error {
  return Object.assign(new Error(message), rest);
}
