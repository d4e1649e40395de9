// Shared with other packages of kubeadmit; unstable.

// The environment of expressions
export { asInCode, handsOnStructs } from './environment/code-changes.ts';
export { errorPlace } from './environment/error-place.ts';
export { prepareExpression } from './environment/evaluate-expression.ts';
export { perCallLimit, requestBudget } from './environment/limits.ts';
export {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from './environment/request-structs.ts';
export { compatibilityMinor, newestMinor, oldestMinor } from './environment/versions.ts';

// Libraries
export { AuthorizerValue, ResourceCheckValue } from './libraries/authorizer.ts';
export { estimateKubernetesCall } from './libraries/cost-estimates.ts';
export { type CostRule, costRules } from './libraries/costs.ts';
export { jsonPatchLibrary } from './libraries/json-patch.ts';
export { versionedLibraries } from './libraries/versioned.ts';

// Policies
export { checkMutatingExpressions } from './policy/checked-policy.ts';
export type { CompiledMutation, CompiledPolicy } from './policy/compile-policy.ts';
export { defaultBinding, defaultPolicy } from './policy/defaults.ts';
export {
  type AuditAnnotationResult,
  failedEvaluation,
  isAdmission,
  type ValidatingBindings,
  type ValidationDecision,
} from './policy/evaluate-validating.ts';
export type { ExpressionResult, ExpressionScope } from './policy/expression.ts';
export { outOfBudget } from './policy/expression-group.ts';
export { type ConditionsResult, evaluateMatchConditions } from './policy/match-conditions.ts';
export {
  type BindingSpec,
  isPolicyKind,
  type MatchResources,
  type MutatingSpec,
  type NamedExpression,
  nameOf,
  type ParamKind,
  type ParamRef,
  type PolicyBinding,
  policyGroup,
  type PolicyKind,
  type PolicyObject,
  type PolicySpec,
  type ResourceRule,
  type ValidatingSpec,
} from './policy/model.ts';
export {
  jsonPatchType,
  JsonPatchValue,
  keyProblem,
  objectType,
  ObjectValue,
  opaqueType,
  patchTypes,
  typeText,
} from './policy/patch-types.ts';
export type {
  Bindings,
  CompiledExpression,
  Lookup,
  PolicyCompiler,
} from './policy/program.ts';
export {
  type ObservedEvaluation,
  type ObserveEvaluation,
  PolicyCompilers,
} from './policy/policy-compilers.ts';
export { evaluateObserved, type EvaluationWithValues } from './policy/evaluate-observed.ts';
export { validateMatchConditions } from './policy/validate-expressions.ts';
export { validateResourceRule } from './policy/validate-match-resources.ts';
export { staticNameErrors, staticSuffix } from './policy/validate-policy.ts';

// Requests
export { allSteps, type StepPlace, type Steps } from './request/steps.ts';
export {
  hasNoMetadata,
  isNamespaceKind,
  isOperation,
  readAttributes,
  type RequestAttributes,
} from './request/attributes.ts';
export { namespaceValue, requestValue } from './request/request-value.ts';
