// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Policies in CEL, with everything they need
export { type PolicyLanguage, policyLanguage } from './cel-policies/environment.ts';
export {
  askNativePolicy,
  isNativeKind,
  type NativePolicy,
  type NativeResponse,
  readNativePolicy,
} from './cel-policies/native.ts';

// Cases of the machine interface
export {
  answerConditions,
  answerJmesPath,
  answerSubstitute,
  type ConditionsAnswer,
  type ConditionsCase,
  type JmesPathCase,
  prepareConditions,
  type SubstituteCase,
  type ValueAnswer,
} from './machine.ts';
export {
  answerAutogen,
  answerRules,
  type AutogenAnswer,
  type AutogenCase,
  prepareRules,
  type RulesAnswer,
  type RulesCase,
} from './machine-rules.ts';

// Policies
export { applyPoliciesInSteps } from './policy/apply-policies.ts';
export { allSteps, lateMessage, type Steps } from './policy/steps.ts';
export { readUser } from './policy/user.ts';

// Fields of policies
export type { Problem } from './policy-validation/problem.ts';
export { findSchemaProblems, type SchemaProblem } from './policy-validation/schema-problems.ts';
export { policyTypes } from './policy-validation/policy-types.data.ts';

// Generated rules
export { computeRules } from './autogen/autogen.ts';
export {
  type GeneratedSpec,
  generateMutating,
  generateValidating,
} from './cel-policies/autogen.ts';

// JMESPath
export type { Node } from './jmespath/node.ts';
export { parse } from './jmespath/parse.ts';

// Lists that merge
export { type MergeSchema, schemaOfField, schemaOfKind } from './mutate/merge-schema.ts';

// Kinds and wildcards
export { type KindSelector, parseKindSelector, selectsKind } from './match/kind.ts';

// What the Pod Security Standards allow
export {
  allowedVolumes,
  appArmorAnnotation,
  defaultCapabilities,
  listSince,
  safeSysctls,
  seccompContainerAnnotation,
  seccompPodAnnotation,
  seLinuxTypes,
} from './pod-security/allowed.ts';
export { minorVersionOf } from './pod-security/checks.ts';

// Patterns
export { type Anchor, parseAnchor } from './validate/anchor.ts';
export { operatorOf, rangeEnds } from './validate/operator.ts';
export { satisfies } from './validate/scalar.ts';

// Variables
export { readVariables } from './variables/template.ts';
