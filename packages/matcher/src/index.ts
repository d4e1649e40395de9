// Which requests a policy or binding is about.

export { isExempt, isSeenByStaticPolicies } from './exemptions.ts';
export {
  type CompiledMatch,
  compileMatch,
  dependsOnObject,
  type MatchEnvironment,
  type MatchReason,
  type MatchResult,
  matchRequest,
} from './match.ts';
// Parameters.
export {
  type CompiledParamRef,
  collectParameters,
  compileParamRef,
  type Parameter,
  ParameterStore,
  type ParametersResult,
} from './parameters.ts';
export { type Indexed, PolicyIndex } from './policy-index.ts';
export type { RulePart } from './resource-rule.ts';
