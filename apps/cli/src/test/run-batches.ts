import type { InputProblem } from '@kubeadmit/manifest';
import type { TestEntry } from '@kubeadmit/testing/other-tools';
import type { Progress } from '../process/progress.ts';
import { stopwatch } from '../process/stopwatch.ts';
import type { Batch, RunBatch } from './batch.ts';
import type { TestOptions } from './options.ts';

/** The tests that are to be run: those of a name, and of these the ones of a shard. */
export interface SelectedBatch {
  readonly batch: Batch;
  readonly tests: readonly number[];
}

/** Selects the tests to run, and drops empty batches. */
export function selectTests(
  batches: readonly Batch[],
  { run, shard }: Pick<TestOptions, 'run' | 'shard'>,
): readonly SelectedBatch[] {
  let count = 0;
  const isOfShard = (): boolean => shard === undefined || count++ % shard.count === shard.index - 1;
  return batches
    .map((batch) => {
      const named = [...batch.tests.entries()].filter(([, name]) => run?.test(name) ?? true);
      return { batch, tests: named.filter(isOfShard).map(([index]) => index) };
    })
    .filter(({ tests }) => tests.length > 0);
}

/** Runs tests one after another, and with `failFast` none after one that does not pass. */
export async function runBatches(
  selected: readonly SelectedBatch[],
  { failFast = false }: Pick<TestOptions, 'failFast'>,
  progress: Progress,
): Promise<readonly RunBatch[]> {
  const total = selected.reduce((sum, { tests }) => sum + tests.length, 0);
  const results: RunBatch[] = [];
  let done = 0;
  for (const { batch, tests } of selected) {
    const entries: TestEntry[] = [];
    const warnings: InputProblem[] = [];
    results.push({ batch, entries, warnings });
    for (const test of tests) {
      progress.show('testing', done++, total);
      const elapsed = stopwatch();
      const [first, ...others] = await batch.run(test);
      const seconds = elapsed();
      // The rows of a test of Kyverno are run together.
      if (first !== undefined) entries.push({ ...first, seconds }, ...others);
      if (failFast && entries.some(isBroken)) return results;
    }
    if (tests.length === batch.tests.length) {
      entries.push(...(await batch.leftovers()));
      warnings.push(...((await batch.warnings?.()) ?? []));
    }
    if (failFast && entries.some(isBroken)) return results;
  }
  return results;
}

/** Whether an entry makes the run fail. */
export function isBroken({ result }: Pick<TestEntry, 'result'>): boolean {
  return result === 'fail' || result === 'error';
}
