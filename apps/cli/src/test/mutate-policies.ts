import type { InputProblem } from '@kubeadmit/manifest';
import { findSurvivors, type MutationReport, type PassedSuite } from '@kubeadmit/testing';
import { counted } from '../output/counts.ts';
import { problemText } from '../output/problems.ts';
import type { Style } from '../output/style.ts';
import { Progress } from '../process/progress.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';
import type { RunBatch } from './batch.ts';
import type { SuiteBatch } from './suite-batch.ts';

/** Fewer changes than this take so little time that no progress is shown. */
const manyChanges = 20;

/**
 * Mutates the policies of suites, and finds the mutations that no test catches.
 *
 * @throws CommandFailure where there is no test of a native policy that passed.
 */
export async function mutatePolicies(
  results: readonly RunBatch[],
  terminal: Terminal,
): Promise<MutationReport> {
  const suites = results.flatMap(({ batch, entries }): PassedSuite[] => {
    if (batch.format !== 'admit') return [];
    const { suiteRun, options } = batch as SuiteBatch;
    const passed = entries.filter(({ result }) => result === 'pass').map(({ name }) => name);
    return [{ run: suiteRun, options, passed: new Set(passed) }];
  });
  let progress: Progress | undefined;
  const report = await findSurvivors(suites, (done, total) => {
    progress ??= new Progress(terminal, total, manyChanges);
    progress.show('changing policies', done, total);
  });
  progress?.clear();
  if (report.total > 0) return report;
  throw new CommandFailure(
    '--mutate-policies: no native policy is tested by a suite (*.admit.yaml)',
  );
}

/** The uncaught mutations as text, each with its position. */
export function survivorsText({ total, caught, survivors }: MutationReport, style: Style): string {
  const texts = survivors.map(({ original, path, place, change }) => {
    const { source } = original.origin;
    const message = `no test fails when ${path} ${change}`;
    const problem: InputProblem = { file: original.file, place, message, source };
    return problemText(problem, 'error', style);
  });
  const all = `${caught} of ${counted(total, 'mutation')} caught`;
  return `\n${texts.join('')}${texts.length > 0 ? '\n' : ''}${all}\n`;
}
