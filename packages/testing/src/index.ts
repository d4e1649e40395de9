// The format of tests: `*.admit.yaml`
export { readSuites, suiteFileName } from './format/read-suites.ts';
export { suiteSchema } from './format/suite-schema.ts';
export type { JsonSchema } from './format/json-schema.ts';
export { clusterFieldNames, type ReadSuites, type Suite } from './format/suite.ts';
export { type SuiteDocument, suiteText } from './import/suite-document.ts';

// Runs
export { type SuiteOptions, SuiteRun } from './run/run-suite.ts';
export type { TestCase } from './run/test-case.ts';
export { readSnapshots, type Snapshots, snapshotFile, writeSnapshots } from './run/snapshots.ts';

// Clusters that tests in TypeScript ask
export {
  TestCluster,
  type TestClusterOptions,
  type TestJudgement,
  type TestRequest,
} from './run/test-cluster.ts';

// Coverage of policies by tests
export { type PolicyCoverage, PolicyCoverageRecorder } from './covered/coverage.ts';
export { coverageJson, coverageLcov, coverageText } from './covered/formats.ts';
export { coverageHtml } from './covered/html.ts';

// Mutations of policies that no test catches
export {
  findSurvivors,
  type MutationReport,
  type PassedSuite,
} from './mutants/find-survivors.ts';
export type { PolicyMutant } from './mutants/policy-mutants.ts';
