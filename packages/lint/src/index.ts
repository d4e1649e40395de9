// Issues of policies, found without a request
export { findIssues, type LintOptions } from './find-issues.ts';
export type { CauseKind, CompilerCause } from './issue/compiler-cause.ts';
export type { Fix, LintIssue, Severity } from './issue/issue.ts';
export { applyFixes, type Fixed } from './fixes.ts';
export { checkMutations, type MutationProblem } from './mutations/check-mutations.ts';

// Rules and their settings
export { findRule, type LintRule, lintRules } from './issue/rules.ts';
export { type ReadSetting, type RuleSetting, type RuleSettings, readSetting } from './settings.ts';

// Manifests by their purpose, and problems that involve several; rejections by Kyverno are in
// `@kubeadmit/lint/kyverno`
export { type GivenManifest, type Inputs, sortInputs } from './inputs/inputs.ts';
export { schemasOf } from './inputs/definitions.ts';
export { type Configuration, checkConfiguration } from './inputs/configuration.ts';
