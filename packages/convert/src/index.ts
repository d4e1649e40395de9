// From Kyverno's rules to Kubernetes' own policies.
export type { Conversion, ConvertOptions, RuleConversion } from './conversion.ts';
export { convertPolicy } from './convert.ts';
export { isConvertible } from './convertible.ts';
export { commentsIn, commentsOfRule, type PlacedComment, withComments } from './comments.ts';
// The costs of results.
export { type CostOptions, type ResultCost, resultCosts } from './cost/result-costs.ts';
export type { Target } from './policy/output.ts';
// Whether a result decides as its rule does.
export { type ProvenRule, proveConversion } from './prove-conversion.ts';
export type { DifferenceCode, DifferenceNote } from './notes/difference-notes.ts';
export { type ProofOptions, proveRule } from './prove-rule.ts';
