// Requests.

// Authorization checks in expressions.
export type {
  Authorizer,
  AuthorizerAttributes,
  AuthorizerDecision,
  AuthorizerUser,
} from './authorizer/authorizer.ts';
// The Kubernetes CEL environment.
export { baseEnvironment } from './environment/base-environment.ts';
export { handsOnStructs } from './environment/code-changes.ts';
export { errorPlace } from './environment/error-place.ts';
export {
  type EvaluateAnswer,
  type EvaluateCase,
  evaluateCase,
  type PreparedCase,
  prepareCase,
} from './environment/evaluate-case.ts';
export { matchConditionsBudget, perCallLimit, requestBudget } from './environment/limits.ts';
export {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from './environment/request-structs.ts';
export {
  compatibilityMinor,
  newestMinor,
  oldestMinor,
  parseVersion,
  UnknownVersionError,
} from './environment/versions.ts';
export { AuthorizerValue, ResourceCheckValue } from './libraries/authorizer.ts';
export { jsonPatchLibrary } from './libraries/json-patch.ts';
export { type VersionedLibrary, versionedLibraries } from './libraries/versioned.ts';
// Compiled policies and their evaluation.
export {
  type CheckedMutatingPolicy,
  type CheckedVariable,
  checkMutatingExpressions,
} from './policy/checked-policy.ts';
export {
  type CompiledMutatingPolicy,
  type CompiledMutation,
  type CompiledPolicy,
  type CompiledValidatingPolicy,
  compileMutatingPolicy,
  compileValidatingPolicy,
} from './policy/compile-policy.ts';
// Policies and bindings.
export { defaultBinding, defaultPolicy } from './policy/defaults.ts';
export { evaluateMutation, type MutationValue } from './policy/evaluate-mutating.ts';
export {
  type AuditAnnotationResult,
  evaluateValidatingPolicy,
  failedEvaluation,
  type ValidatingBindings,
  type ValidatingResult,
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
  type MatchResources,
  type MutatingPolicy,
  type MutatingSpec,
  type Mutation,
  type NamedExpression,
  nameOf,
  type Operation,
  type ParamKind,
  type ParamRef,
  type PolicyBinding,
  type PolicyKind,
  type PolicyObject,
  type PolicySpec,
  policyGroup,
  type ResourceRule,
  type ValidatingPolicy,
  type ValidatingSpec,
  type Validation,
} from './policy/model.ts';
export {
  JsonPatchValue,
  jsonPatchType,
  ObjectValue,
  objectType,
  patchTypes,
} from './policy/patch-types.ts';
export {
  type ObservedEvaluation,
  type ObserveEvaluation,
  PolicyCompilers,
} from './policy/policy-compiler.ts';
export type {
  Bindings,
  CompiledExpression,
  CompiledVariables,
  Evaluation,
  Lookup,
  PolicyCompiler,
  PolicyProgram,
} from './policy/program.ts';
export { checkTypes, type ExpressionWarning } from './policy/type-check.ts';
export { type ExpressionRole, validateMatchConditions } from './policy/validate-expressions.ts';
export { validateResourceRule } from './policy/validate-match-resources.ts';
export {
  type BindingValidation,
  validateMutatingBinding,
  validateValidatingBinding,
} from './policy/validate-binding.ts';
export { validateMutatingPolicy } from './policy/validate-mutating.ts';
export { validateValidatingPolicy } from './policy/validate-validating.ts';
export {
  type AdmissionRequest,
  hasNoMetadata,
  isNamespaceKind,
  isOperation,
  type RequestAttributes,
  readAttributes,
  type UserInfo,
} from './request/attributes.ts';
export { namespaceValue, requestValue } from './request/request-value.ts';
