// From Kyverno's rules to Kubernetes' own policies.
export {
  type Conversion,
  type ConvertOptions,
  convertPolicy,
  isConvertible,
  type RuleConversion,
} from './convert.ts';
export type { Target } from './policy/output.ts';
