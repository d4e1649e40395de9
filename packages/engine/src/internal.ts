// What the packages of kubeadmit share and users rarely need; it may change with every version.

// The environment of expressions
export { handsOnStructs } from './environment/code-changes.ts';
export { errorPlace } from './environment/error-place.ts';
export { matchConditionsBudget, perCallLimit } from './environment/limits.ts';
export {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from './environment/request-structs.ts';
export { compatibilityMinor } from './environment/versions.ts';

// Libraries
export { AuthorizerValue, ResourceCheckValue } from './libraries/authorizer.ts';
export { type CostRule, costRules } from './libraries/costs.ts';
export { jsonPatchLibrary } from './libraries/json-patch.ts';
export { versionedLibraries, type VersionedLibrary } from './libraries/versioned.ts';

// Policies
export {
  type CheckedMutatingPolicy,
  type CheckedVariable,
  checkMutatingExpressions,
} from './policy/checked-policy.ts';
export type { CompiledMutation, CompiledPolicy } from './policy/compile-policy.ts';
export { defaultBinding, defaultPolicy } from './policy/defaults.ts';
export {
  type AuditAnnotationResult,
  failedEvaluation,
  type ValidationDecision,
} from './policy/evaluate-validating.ts';
export type {
  ExpressionChecker,
  ExpressionCheckers,
  ExpressionEnvironment,
  ExpressionProblem,
  ExpressionRequest,
  ExpressionResult,
  ExpressionScope,
} from './policy/expression.ts';
export { type ConditionsResult, evaluateMatchConditions } from './policy/match-conditions.ts';
export {
  type AuditAnnotation,
  type BindingSpec,
  type FailurePolicy,
  isPolicyKind,
  type Mutation,
  type NamedExpression,
  nameOf,
  type ParamKind,
  type ParamRef,
  policyGroup,
  type PolicyKind,
  type Validation,
} from './policy/model.ts';
export {
  jsonPatchType,
  JsonPatchValue,
  objectType,
  ObjectValue,
  patchTypes,
} from './policy/patch-types.ts';
export type {
  Bindings,
  CompiledExpression,
  CompiledVariables,
  Evaluation,
  Lookup,
  PolicyCompiler,
  PolicyProgram,
} from './policy/program.ts';
export { SharedCompilers } from './policy/shared-compilers.ts';
export { type ExpressionRole, validateMatchConditions } from './policy/validate-expressions.ts';
export { validateResourceRule } from './policy/validate-match-resources.ts';
export type { BindingValidation } from './policy/validate-binding.ts';

// Requests
export { hasNoMetadata, isNamespaceKind, isOperation } from './request/attributes.ts';
export { namespaceValue, requestValue } from './request/request-value.ts';
