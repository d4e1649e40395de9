import { existsSync, rmSync } from 'node:fs';
import type { InputProblem } from '@kubeadmit/manifest';
import { snapshotFile, writeSnapshots } from '@kubeadmit/testing';
import type { ReadBoundary } from '../input/local/boundary.ts';
import { writeWhole } from '../output/targets.ts';
import type { RunBatch } from './batch.ts';
import { snapshotsOf } from './load-batches.ts';
import type { SuiteBatch } from './suite-batch.ts';

/**
 * Writes the snapshots of the cases that were run; those of cases that there are no more go away, but for files in which
 * cases cannot be read.
 */
export function updateSnapshots(
  results: readonly RunBatch[],
  problems: readonly InputProblem[],
  boundary: ReadBoundary,
): void {
  const broken = new Set(problems.map(({ file }) => file));
  const suites = results.flatMap(({ batch }) =>
    batch.format === 'admit' ? [batch as SuiteBatch] : [],
  );
  for (const file of new Set(suites.map((suite) => suite.file))) {
    const own = suites.filter((suite) => suite.file === file);
    const names = new Set(own.flatMap(({ tests }) => tests));
    const kept = [...snapshotsOf(file, boundary)].filter(
      ([name]) => broken.has(file) || names.has(name),
    );
    const all = new Map([...kept, ...own.flatMap(({ suiteRun }) => [...suiteRun.taken])]);
    const path = snapshotFile(file);
    if (all.size > 0) writeWhole(path, writeSnapshots(all));
    else if (existsSync(path)) rmSync(path);
  }
}
