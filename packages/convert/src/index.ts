// From Kyverno's rules to Kubernetes' own policies.
export {
  type Conversion,
  type ConvertOptions,
  convertPolicy,
  isConvertible,
  type RuleConversion,
} from './convert.ts';
export type { Target } from './policy/output.ts';
// Where two sets of policies differ.
export {
  type Difference,
  type DifferenceOptions,
  type Differences,
  findDifferences,
} from './difference/difference.ts';
export type { Judgement, Likeness } from './difference/judge.ts';
