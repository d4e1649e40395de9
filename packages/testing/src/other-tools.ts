// Suites of other tools: gator, the Kyverno CLI, kaptest and kat.

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
// Tests of kaptest and kat as suites
export { isKaptest, readKaptest, withoutConstraints } from './import/kaptest.ts';
export { isKatPolicy, isKatTest, katCaseOf, readKatFile, suiteOfKat } from './import/kat.ts';
export { withOwnNames } from './import/suite-document.ts';
// Tests of the Kyverno CLI
export type { TestEntry } from './kyverno-tests/judge.ts';
export { type OutsideFilesData, readOutsideFiles } from './kyverno-tests/outside-files.ts';
export { KyvernoTestRun } from './kyverno-tests/run-test.ts';
export { type ExpectedResult, readTests, type TestFile } from './kyverno-tests/test-file.ts';
export { type TestHost, TestProblem } from './kyverno-tests/test-reader.ts';
