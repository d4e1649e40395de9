// What is wrong with policies, found without a request.
export { findIssues, type KnownIssues, type LintOptions } from './find-issues.ts';
export type { Fix, LintIssue, Severity } from './issue.ts';
export { findRule, type LintRule, lintRules } from './rules.ts';
export { type ReadSetting, type RuleSetting, type RuleSettings, readSetting } from './settings.ts';
export { applyFixes, type Fixed } from './fixes.ts';
export { checkMutations, type MutationProblem } from './mutations/check-mutations.ts';
// Manifests by what they are for.
export {
  type GivenManifest,
  type Inputs,
  isReview,
  type Role,
  sortInputs,
} from './inputs/inputs.ts';
export { definitionProblems, schemasOf } from './inputs/definitions.ts';
export { type SettledManifests, settleDuplicates } from './inputs/duplicates.ts';
// Fields that a kind does not have.
export { findUnknownFields, type UnknownField } from './policies/unknown-fields.ts';
// What no single manifest shows, and kinds that the server does not know.
export {
  type Configuration,
  checkConfiguration,
  isKnown,
  problemOf,
  unknownKinds,
} from './inputs/configuration.ts';
// What the server would refuse, at its place.
export { type Refusal, refusalProblems } from './inputs/refusal-problems.ts';
// What objects of Kyverno are for; reading them is in `@kubeadmit/lint/kyverno`.
export { type KyvernoRole, kyvernoRole } from './kyverno/kinds.ts';
// Words that are almost right.
export { closest } from './closest.ts';
