// The format of tests: `*.admit.yaml`.
export { readSuites, suiteFileName } from './format/read-suites.ts';
export { suiteSchema } from './format/suite-schema.ts';
export type { JsonSchema } from './format/json-schema.ts';
export type { ReadSuites, Suite } from './format/suite.ts';
// Runs.
export { type SuiteOptions, SuiteRun } from './run/run-suite.ts';
export type { TestCase } from './run/test-case.ts';
export { readSnapshots, snapshotFile, type Snapshots, writeSnapshots } from './run/snapshots.ts';
// Clusters that tests in TypeScript ask.
export {
  type ClusterSource,
  TestCluster,
  type TestClusterOptions,
  type TestJudgement,
  type TestRequest,
} from './run/test-cluster.ts';
// What tests touch of policies.
export {
  type CoveredPoint,
  type PolicyCoverage,
  PolicyCoverageRecorder,
} from './covered/coverage.ts';
export { type CoverageCounts, countPoints, percentText } from './covered/summary.ts';
export { coverageJson, coverageLcov, coverageText } from './covered/formats.ts';
export { coverageHtml } from './covered/html.ts';
// Changes of policies that no test notices.
export {
  findSurvivors,
  memoizedHost,
  type MutationReport,
  type PassedSuite,
} from './mutants/find-survivors.ts';
export type { PolicyMutant } from './mutants/policy-mutants.ts';
// Suites of gator, as gator runs them.
export { GatorRun } from './gator/gator-run.ts';
export {
  type GatorAssertion,
  type GatorCase,
  type GatorSuite,
  type GatorTest,
  isGatorSuite,
  readGatorSuite,
} from './gator/gator-suite.ts';
// Tests of other tools as suites.
export { isKaptest, readKaptest, withoutConstraints } from './import/kaptest.ts';
export { isKatPolicy, isKatTest, type KatFile, type KatFolder, suiteOfKat } from './import/kat.ts';
export { type SuiteDocument, suiteText, withOwnNames } from './import/suite-document.ts';
