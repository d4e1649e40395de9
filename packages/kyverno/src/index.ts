// Classic policies: compiled, applied, validated
export { compilePolicy, type Policy } from './policy/policy.ts';
export { compileException, type Exception } from './rule/exception.ts';
export { compileConfiguration, type Configuration } from './rule/configuration.ts';
export { type ApplyOptions, applyPolicies, type PolicyResponse } from './policy/apply-policies.ts';
export type { FailureAction, RuleResult, RuleStatus, RuleType } from './trace/rule-result.ts';
export { validatePolicyObject } from './policy-validation/validate-policy.ts';

// Policies in CEL
export { type CelPolicy, compileCelPolicy } from './cel-policies/policy.ts';
export type { CelRequest, CelResult } from './cel-policies/request.ts';
export { type CelResponse, validateRequest } from './cel-policies/validating.ts';
export { mutateRequest } from './cel-policies/mutating.ts';

// Data from outside
export type { GivenUser } from './rule/user.ts';
export type { ContextSources } from './context/sources.ts';
export type {
  AttestedPayload,
  CosignCheck,
  CosignLog,
  CosignSigner,
  ImageVerifier,
  SignatureCheck,
  SignatureType,
  SignerIdentity,
  VerificationError,
  VerifiedAttestations,
  VerifiedImage,
} from './context/image-verifier.ts';
export type { CelSources } from './cel-policies/libraries/sources.ts';
