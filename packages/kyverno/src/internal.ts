// Shared with other packages of kubeadmit; unstable.

// Policies in CEL, with everything they need
export { type CelException, mayExpire, readCelException } from './cel-policies/exceptions.ts';
export { type CompileOptions, requireCompileOptions } from './cel-policies/policy.ts';
export type { ResourceQuery } from './cel-policies/libraries/sources.ts';
export { brokenPolicy } from './cel-policies/validating.ts';
export { policyLanguage } from './cel-policies/environment.ts';
export { kubernetesMinor } from './cel/kubernetes-minor.ts';
export { toCelValue } from './cel/cel-value.ts';
export { orValueLibrary } from './cel/or-value.ts';

// Cases of the machine interface
export {
  answerConditions,
  answerJmesPath,
  answerSubstitute,
  prepareConditions,
} from './machine.ts';
export {
  answerAutogen,
  answerGenerate,
  answerRules,
  type AutogenCase,
  type GenerateCase,
  prepareRules,
  type RulesCase,
} from './machine-rules.ts';

// Policies
export { matcherOf } from './context/deferred-entries.ts';
export { withDoubles } from './context/numbers.ts';
export type { SourceAnswer } from './context/sources.ts';
export { applyPoliciesInSteps, type RequestSetting } from './policy/apply-policies.ts';
export { lateMessage } from './policy/engine.ts';
export { mayEnforce, readAction } from './rule/failure-action.ts';
export { readUser } from './rule/user.ts';

// Fields of policies
export { hasOrder } from './conditions/ordering.ts';
export { clusterScopes } from './policy-validation/kind-scopes.ts';
export { conditionOperators } from './policy-validation/policy-schema.data.ts';

// Generated rules
export { computeRules } from './autogen/autogen.ts';
export { generateMutating, generateValidating } from './cel-policies/autogen.ts';

// Status of policies
export { specStatus } from './status/spec-status.ts';

// Lists that merge
export { type MergeSchema, schemaOfField, schemaOfKind } from './mutate/merge-schema.ts';

// The Pod Security Standards as Kyverno knows them
export { knownSysctls, minorVersionOf } from './pod-security/checks.ts';

// JSON patches
export { decodePatch } from './mutate/json-patch.ts';

// Variables
export { readVariables } from './variables/template.ts';
