// Shared with other packages of kubeadmit; unstable.

// The environment of expressions
export { asInCode, handsOnStructs } from './environment/code-changes.ts';
export { prepareExpression } from './environment/evaluate-expression.ts';

// Libraries
export { AuthorizerValue, ResourceCheckValue } from './libraries/authorizer.ts';
export { estimateKubernetesCall } from './libraries/cost-estimates.ts';

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
export { nameOf } from './policy/model.ts';
export { keyProblem, opaqueType, typeText } from './policy/patch-types.ts';
export type {
  Bindings,
  CompiledExpression,
  Lookup,
  PolicyCompiler,
} from './policy/program.ts';
export { PolicyCompilers } from './policy/policy-compilers.ts';
export { evaluateObserved, type EvaluationWithValues } from './policy/evaluate-observed.ts';
export { validateMatchConditions } from './policy/validate-expressions.ts';
export { validateResourceRule } from './policy/validate-match-resources.ts';
export { staticNameErrors, staticSuffix } from './policy/validate-policy.ts';

// Requests
export { allSteps, type StepPlace, type Steps } from './request/steps.ts';
export { hasNoMetadata } from './request/attributes.ts';
export { namespaceValue, requestValue } from './request/request-value.ts';
