// Expressions in the environment of Kubernetes

export { baseEnvironment } from './environment/base-environment.ts';
export {
  type ExpressionAnswer,
  evaluateExpression,
  type ExpressionInput,
} from './environment/evaluate-expression.ts';

// Versions
export {
  compatibilityMinor,
  newestMinor,
  oldestMinor,
  parseVersion,
  UnknownVersionError,
} from './environment/versions.ts';
export { perCallLimit, requestBudget } from './environment/limits.ts';

// Policies and bindings, and their problems
export {
  type AuditAnnotation,
  type BindingSpec,
  isPolicyKind,
  type MatchResources,
  type MutatingPolicy,
  type MutatingSpec,
  type Mutation,
  type NamedExpression,
  type ParamKind,
  type ParamRef,
  type PolicyBinding,
  policyGroup,
  type PolicyKind,
  type PolicyObject,
  type PolicySpec,
  type ResourceRule,
  type ValidatingPolicy,
  type ValidatingSpec,
  type Validation,
} from './policy/model.ts';
export { type PolicyObjectValidation, validatePolicyObject } from './policy/validate-object.ts';
export { checkTypes, type ExpressionWarning } from './policy/type-check.ts';

// Compiled policies
export {
  type CompiledMutatingPolicy,
  type CompiledValidatingPolicy,
  compileMutatingPolicy,
  compileValidatingPolicy,
} from './policy/compile-policy.ts';

// Their evaluation on a request
export {
  type AdmissionRequest,
  isNamespaceKind,
  isOperation,
  readAttributes,
  type RequestAttributes,
  type UserInfo,
} from './request/attributes.ts';
export type { ObservedEvaluation, ObserveEvaluation } from './policy/policy-compilers.ts';
export type { Operation } from './policy/model.ts';
export { evaluateMutation, type MutationValue } from './policy/evaluate-mutating.ts';
export { evaluateValidatingPolicy, type ValidatingResult } from './policy/evaluate-validating.ts';

// Authorization checks in expressions
export type {
  Authorizer,
  AuthorizerAttributes,
  AuthorizerDecision,
  AuthorizerUser,
} from './authorizer/authorizer.ts';
