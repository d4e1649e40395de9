import {
  NothingToCheckError,
  type PreparedCheck,
  prepareCheck,
  type ReportProblem,
} from '@kubeadmit/check';
import { UnknownVersionError } from '@kubeadmit/schemas';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type Terminal } from '../terminal.ts';
import type { InputOptions } from './options.ts';
import { readInputs } from './read-inputs.ts';

/** Writes what is worth saying about the inputs to standard error, as it is found. */
export function problemReporter({ stderr, env }: Terminal): ReportProblem {
  const style = styleFor(stderr, env);
  return (problem, severity) => {
    stderr.write(problemText(problem, severity, style));
  };
}

/**
 * Reads the inputs of a check and makes requests of them; `undefined` when anything is wrong, which is reported.
 *
 * @throws CommandFailure when the arguments make no sense together.
 */
export async function readCheck(
  paths: readonly string[],
  options: InputOptions,
  terminal: Terminal,
  report: ReportProblem,
): Promise<PreparedCheck | undefined> {
  const roles = [
    ['policies', options.policies ?? []],
    ['any', paths],
    ['resources', options.resources ?? []],
  ] as const;
  let hasUnreadable = false;
  const given = await readInputs(roles, terminal, {
    fail: (problem) => {
      hasUnreadable = true;
      report(problem, 'error');
    },
    note: (problem) => report(problem, 'warning'),
  });
  const settings = { ...options, user: options.as, groups: options.asGroup, hasUnreadable };
  return orCommandFailure(prepareCheck(given, settings, report));
}

/** Makes failures of what users may do those of the command. */
export async function orCommandFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isUsers = error instanceof UnknownVersionError || error instanceof NothingToCheckError;
    throw isUsers ? new CommandFailure(error.message) : error;
  }
}
