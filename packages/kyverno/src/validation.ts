// Problems of policies and other resources, as Kyverno reports them.

export { timeToLiveProblem } from './cleanup/time-to-live.ts';
export { deprecatedKindWarning } from './policy-validation/deprecated-kinds.ts';
export { servedVersions } from './policy-validation/policy-schema.data.ts';
export { policyStructs } from './policy-validation/policy-structs.ts';
export { ruleExpressionProblems } from './policy-validation/rule-expressions.ts';
// Schemas of resources
export {
  findSchemaProblems,
  type SchemaProblem,
  unservedVersion,
} from './policy-validation/schema-problems.ts';
export { testStructs } from './policy-validation/test-structs.ts';
export type { TestType } from './policy-validation/test-types.data.ts';
export { validateCleanup } from './policy-validation/validate-cleanup.ts';
export { validateException } from './policy-validation/validate-exception.ts';
export { validateGlobalContext } from './policy-validation/validate-global-context.ts';
// Resources that Kyverno would reject or warn about
export type { PolicyVerdict } from './policy-validation/validate-policy.ts';
