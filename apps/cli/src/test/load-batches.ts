import { existsSync, readFileSync } from 'node:fs';
import type { TestHost } from '@kubeadmit/check/internal';
import { Source } from '@kubeadmit/manifest';
import {
  type PolicyCoverageRecorder,
  readSnapshots,
  type Snapshots,
  type SuiteOptions,
} from '@kubeadmit/testing';
import { memoizedHost, snapshotFile } from '@kubeadmit/testing/internal';
import type { Batch } from './batch.ts';
import type { FoundTest } from './find-tests.ts';
import { gatorBatch } from './gator-batch.ts';
import { kyvernoBatch } from './kyverno-batch.ts';
import type { TestOptions } from './options.ts';
import { readSelector, selectRows } from './selector.ts';
import { foreignBatch, suiteBatch } from './suite-batch.ts';

/** Makes batches of what was found; documents without any test give none. */
export async function loadBatches(
  found: readonly FoundTest[],
  options: TestOptions,
  given: { readonly host: TestHost; readonly coverage?: PolicyCoverageRecorder | undefined },
): Promise<readonly Batch[]> {
  const { coverage } = given;
  const host = memoizedHost(given.host);
  const selector = readSelector(options.testCaseSelector);
  const { strict, update, kubernetesVersion: kubernetesVersions } = options;
  const batches: Batch[] = [];
  for (const one of found) {
    if (one.format === 'kyverno') {
      const rows = selectRows(one.test.results, selector);
      batches.push(kyvernoBatch(one.test, rows, { host, strict: strict === true }));
      continue;
    }
    if (one.format === 'gator') {
      batches.push(gatorBatch(one.suite, host));
      continue;
    }
    const snapshots = one.format === 'admit' ? snapshotsOf(one.suite.file) : undefined;
    const settings: SuiteOptions = {
      host,
      kubernetesVersions,
      strict,
      snapshots,
      update,
      coverage,
    };
    if (one.format === 'admit') batches.push(await suiteBatch(one.suite, settings));
    else batches.push(await foreignBatch(one, settings));
  }
  return batches.filter(({ tests }) => tests.length > 0);
}

/** The snapshots of a file of suites; none where it has no file of snapshots. */
export function snapshotsOf(file: string): Snapshots {
  const path = snapshotFile(file);
  return existsSync(path) ? readSnapshots(new Source(path, readFileSync(path, 'utf8'))) : new Map();
}
