import type { Configuration } from '../configuration/configuration.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import type { Answerer, Credentials } from './answerer.ts';

/** What the first process asks of one that answers. */
export type Task =
  | { readonly do: 'configure'; readonly configuration: Configuration }
  | { readonly do: 'load'; readonly snapshot: Snapshot }
  | { readonly do: 'listen'; readonly credentials: Credentials }
  | { readonly do: 'useCredentials'; readonly credentials: Credentials }
  | { readonly do: 'metrics' }
  | { readonly do: 'close' };

/** A task on its way, with the number of its answer. */
export interface Order {
  readonly id: number;
  readonly task: Task;
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

/** Does a task. */
export async function perform(answerer: Answerer, task: Task): Promise<unknown> {
  switch (task.do) {
    case 'load':
      return answerer.load(task.snapshot);
    case 'listen':
      return answerer.listen(task.credentials);
    case 'useCredentials':
      return answerer.useCredentials(task.credentials);
    case 'metrics':
      return answerer.metrics();
    case 'close':
      return answerer.close();
    case 'configure':
      return undefined;
  }
}
