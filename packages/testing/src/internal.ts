// Functions that the packages of kubeadmit share and that users rarely need. They may change in every version.

// Names of files
export { suiteFileName } from './format/read-suites.ts';
export { clusterFieldNames } from './format/suite.ts';
export { snapshotFile } from './run/snapshots.ts';

// Coverage in words, and hosts that read each file once
export { countPoints, percentText } from './covered/summary.ts';
export { memoizedHost } from './mutants/find-survivors.ts';

// Suites of gator, as gator runs them
export { GatorRun } from './gator/gator-run.ts';
export {
  type GatorAssertion,
  type GatorCase,
  type GatorSuite,
  type GatorTest,
  isGatorSuite,
  readGatorSuite,
} from './gator/gator-suite.ts';

// Tests of the Kyverno CLI
export type { TestEntry } from './kyverno-tests/judge.ts';
export { type OutsideFilesData, readOutsideFiles } from './kyverno-tests/outside-files.ts';
export { KyvernoTestRun } from './kyverno-tests/run-test.ts';
export { type ExpectedResult, readTests, type TestFile } from './kyverno-tests/test-file.ts';
export { type TestHost, TestProblem } from './kyverno-tests/test-reader.ts';

// Tests of other tools as suites
export { isKaptest, readKaptest, withoutConstraints } from './import/kaptest.ts';
export { isKatPolicy, isKatTest, katCaseOf, readKatFile, suiteOfKat } from './import/kat.ts';
export { withOwnNames } from './import/suite-document.ts';
