import type { InputProblem } from '@kubeadmit/manifest';
import type { TestEntry } from '@kubeadmit/testing/other-tools';

/** The formats of tests that are run. */
export type TestFormat = 'admit' | 'kyverno' | 'kaptest' | 'kat' | 'gator';

/** The tests of one document, which share loaded files. */
export interface Batch {
  readonly file: string;
  readonly name: string;
  readonly format: TestFormat;
  /** The names of its tests, in their order; each is run by its place here. */
  readonly tests: readonly string[];
  /** Runs one test, which may give several entries. Never rejects because of the content of a test. */
  run(test: number): Promise<readonly TestEntry[]>;
  /** Returns remarks after all of its tests have run, such as policies that matched none of them. */
  leftovers(): Promise<readonly TestEntry[]>;
  /** Returns mistakes that do not make the tests fail, after all of them have run. */
  warnings?(): Promise<readonly InputProblem[]>;
}

/** A batch with the results of its tests. */
export interface RunBatch {
  readonly batch: Batch;
  readonly entries: readonly TestEntry[];
  readonly warnings: readonly InputProblem[];
}
