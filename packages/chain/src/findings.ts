// Findings, changes and reports of a chain, as people read them.

// Changes by policies and plugins
export {
  type Change,
  type ChangedValue,
  changesInOrder,
  explainChange,
  type ExplainedChange,
  objectTitle,
  operationsOf,
  pluginChanges,
} from './findings/changes.ts';
export type { PatchOperation } from './findings/patch-operation.ts';

// Findings
export {
  foundNoParameters,
  isAudited,
  isWarning,
  noParameters,
  parameterText,
} from './findings/findings.ts';

// PolicyReports
export {
  policyReportResult,
  type PolicyReportResult,
  policyReportSummary,
  type PolicyReportSummary,
} from './findings/policy-report.ts';
