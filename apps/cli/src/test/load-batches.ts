import { existsSync } from 'node:fs';
import { readErrorText, readText } from '@kubeadmit/files';
import { formatPlace, readDocuments, Source } from '@kubeadmit/manifest';
import {
  type PolicyCoverageRecorder,
  readSnapshots,
  type Snapshots,
  type SuiteOptions,
  snapshotFile,
} from '@kubeadmit/testing';
import type { TestHost } from '@kubeadmit/testing/other-tools';
import { memoizedHost } from '@kubeadmit/testing/unstable-internal';
import { outsideText, type ReadBoundary } from '../input/local/boundary.ts';
import { CommandFailure } from '../process/terminal.ts';
import type { Batch } from './batch.ts';
import type { FoundTest } from './find-tests.ts';
import { gatorBatch } from './gator-batch.ts';
import { kyvernoBatch } from './kyverno-batch.ts';
import type { TestOptions } from './options.ts';
import { readSelector, selectRows } from './selector.ts';
import { foreignBatch, suiteBatch } from './suite-batch.ts';

/** Makes batches of the found documents; documents without tests have none. */
export async function loadBatches(
  found: readonly FoundTest[],
  options: TestOptions,
  given: {
    readonly host: TestHost;
    readonly boundary: ReadBoundary;
    readonly coverage?: PolicyCoverageRecorder | undefined;
  },
): Promise<readonly Batch[]> {
  const { boundary, coverage } = given;
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
    const snapshots = one.format === 'admit' ? snapshotsOf(one.suite.file, boundary) : undefined;
    const settings: SuiteOptions = {
      host,
      kubernetesVersions,
      strict,
      snapshots,
      update,
      coverage,
    };
    const { plugins } = options;
    if (one.format === 'admit') batches.push(await suiteBatch(one.suite, { ...settings, plugins }));
    else batches.push(await foreignBatch(one, settings));
  }
  return batches.filter(({ tests }) => tests.length > 0);
}

/**
 * The snapshots of a file of suites; none where it has no file of snapshots.
 *
 * @throws CommandFailure for one that cannot be read: what it holds would be lost.
 */
export function snapshotsOf(file: string, boundary: ReadBoundary): Snapshots {
  const path = snapshotFile(file);
  if (!existsSync(path)) return new Map();
  if (!boundary.contains(path)) throw unreadable(path, outsideText);
  const source = new Source(path, snapshotText(path));
  const [problem] = readDocuments(source).problems;
  if (problem !== undefined) throw unreadable(formatPlace(path, problem.place), problem.message);
  return readSnapshots(source);
}

function snapshotText(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw unreadable(path, readErrorText(error));
  }
}

function unreadable(where: string, message: string): CommandFailure {
  const advice = 'repair the snapshots, or delete them and run with --update';
  return new CommandFailure(`${where}: ${message}; ${advice}`);
}
