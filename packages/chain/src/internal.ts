// Shared with other packages of kubeadmit; unstable.

// Loading and passing requests
export { requireChain } from './chain/arguments.ts';
export { NamespaceAssumptions } from './chain/assumed-namespaces.ts';
export { boundPolicies } from './chain/bound-policies.ts';
export type { ChainPlugins } from './chain/manifest-cluster.ts';
export { failedPassage, passMutation, readAndPass } from './chain/pass-request.ts';
export type { AssumedByPlugins } from './chain/plugin-assumptions.ts';
export {
  type PluginChoice,
  isPoliciesOnly,
  pluginProblem,
  pluginsOfCases,
} from './chain/plugin-choice.ts';
export { defaultPluginsFor } from './chain/default-plugins.ts';
export { isReadByPlugins, pluginObjects } from './chain/plugin-manifests.ts';
export { setNamespace } from './chain/set-namespace.ts';
export { stepAnswer } from './chain/step.ts';

// Parts of requests
export { type AssumedSelector, assumedNamespaceTexts } from './requests/assumed-selector.ts';
export type { ServedKind } from './requests/served-kind.ts';

// Findings and reports
export {
  type Change,
  type ChangedValue,
  type ExplainedChange,
  changesInOrder,
  explainChange,
  objectTitle,
  operationsOf,
  pluginChanges,
} from './findings/changes.ts';
export {
  isAudited,
  isWarning,
  foundNoParameters,
  noParameters,
  parameterText,
} from './findings/findings.ts';
export type { PatchOperation } from './findings/patch-operation.ts';
export {
  type PolicyReportResult,
  type PolicyReportSummary,
  policyReportResult,
  policyReportSummary,
} from './findings/policy-report.ts';

// Kyverno: background work
export type { Cleaner } from './kyverno/cleaners.ts';
export { expiryOf } from './kyverno/expiry.ts';
export { type Generator, type GeneratorRule, policyKey } from './kyverno/generators.ts';
export type { AskedMutator, TriggerChange } from './kyverno/existing-targets.ts';
export type { Mutator, MutatorRule } from './kyverno/mutators.ts';
export {
  isChangedSince,
  isNewerThan,
  isNewerThanChange,
  type StoredObject,
} from './kyverno/wanted.ts';

// Kyverno: evaluation
export {
  applyDeleting,
  applyGenerating,
  applyImagesToPayload,
  applyImageValidating,
  applyMutating,
  applyToExisting,
  applyToPayload,
  applyToServiceRequest,
  applyValidating,
} from './kyverno/cel.ts';
export { type PolicyGivens, applyClassic } from './kyverno/classic.ts';
export { applyCleanup } from './kyverno/cleanup.ts';
export { clusterAnswer, findConfigMap, objectSources } from './kyverno/cluster-sources.ts';
export {
  type ObjectIdentity,
  identityOf,
  identityText,
  isNamespaced,
  kindOf,
  pluralOf,
  sameIdentity,
} from './kyverno/identity.ts';
export { applyNative, readNativePolicies } from './kyverno/native.ts';
export type { OutsideData } from './kyverno/outside-data.ts';
export type { KyvernoProblem } from './kyverno/policy-problems.ts';
export { type ActingStatus, actingStatus, type MatchedResource } from './kyverno/policy-status.ts';
export { kyvernoVerdict, type ObjectChange, type ObjectVerdict } from './kyverno/policy-verdict.ts';
export type { Response, Result } from './kyverno/response.ts';
export { timeToLiveLabel, timeToLiveOf } from './readers/kyverno-role.ts';

// Scans and registration
export { concernedKinds } from './scan/concerned-kinds.ts';
export { type PolicyMatch, type WebhookRule, policyMatches } from './scan/policy-matches.ts';
