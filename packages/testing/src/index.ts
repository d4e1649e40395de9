// The format of tests: `*.admit.yaml`.
export { readSuites, suiteFileName } from './format/read-suites.ts';
export { suiteSchema } from './format/suite-schema.ts';
export type { JsonSchema } from './format/json-schema.ts';
export type { ReadSuites, Suite } from './format/suite.ts';
// Runs.
export { type SuiteOptions, SuiteRun } from './run/run-suite.ts';
export type { TestCase } from './run/test-case.ts';
export { readSnapshots, snapshotFile, type Snapshots, writeSnapshots } from './run/snapshots.ts';
