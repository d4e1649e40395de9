// Classic policies: compiled, applied, validated

export { compilePolicy, type Policy } from './policy/policy.ts';
export { compileException, type Exception } from './policy/exception.ts';
export { compileConfiguration, type Configuration } from './policy/configuration.ts';
export {
  type ApplyOptions,
  applyPolicies,
  type PolicyResponse,
  type RequestSetting,
} from './policy/apply-policies.ts';
export type { FailureAction, RuleResult, RuleStatus, RuleType } from './policy/rule-result.ts';
export { type PolicyVerdict, validatePolicyObject } from './policy-validation/validate-policy.ts';

// Policies in CEL
export { type CelPolicy, compileCelPolicy, type CompileOptions } from './cel-policies/policy.ts';
export { type CelException, readCelException } from './cel-policies/exceptions.ts';
export type { CelRequest, CelResult } from './cel-policies/request.ts';
export { type CelResponse, validatePayload, validateRequest } from './cel-policies/validating.ts';
export { mutateRequest, type MutatingResponse } from './cel-policies/mutating.ts';
export { type ExistingResponse, mutateExisting } from './cel-policies/existing.ts';

// Data from outside
export type { GivenUser } from './policy/user.ts';
export type { ContextSources, SourceAnswer } from './context/sources.ts';
export type { CelSources, ResourceQuery } from './cel-policies/sources.ts';

// JMESPath in Kyverno's dialect, and wildcards
export {
  compileExpression,
  type Expression,
  search,
  type SearchOptions,
} from './jmespath/expression.ts';
export { Failure } from './jmespath/failure.ts';
export { matchesWildcard } from './match/wildcard.ts';
