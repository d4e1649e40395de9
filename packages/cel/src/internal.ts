// Shared with other packages of kubeadmit; unstable.

// Checking and environments
export type { CheckedExpression, CheckResult } from './declarations/checked-expression.ts';
export { homogeneousRule } from './check/rules.ts';
export { ValueEnvironment } from './environment/value-environment.ts';
export type { DescribeSyntaxErrors } from './environment/options.ts';
export type { CallCost, TreeRule } from './declarations/library.ts';
export { durationRule, regexRule, timestampRule } from './libraries/literal-rules.ts';
export { type FunctionRow, functionsOf } from './standard/functions-of.ts';
export { standardLibrary } from './standard/standard-library.ts';

// Evaluation and its cost
export { interruptedBy, interruptedText, isInterrupted } from './plan/frame.ts';
export type { PlanOptions } from './plan/planner.ts';
export { equalityCost, matchCost, ownCostSize, traversalCost } from './declarations/costs.ts';

// Values
export { formatGoData, formatGoValue } from './values/format-go-value.ts';
export { Lister } from './values/lister.ts';
export { goTypeName } from './values/go-type.ts';
export { nativeStringOf } from './values/native-string.ts';
export { formatHostLimit } from './values/host-limit.ts';
export {
  type GoForm,
  type GoFormOf,
  goFormOf,
  isLiteral,
  isSum,
  markSum,
} from './values/origin.ts';
export { kubernetesNumbers } from './values/json.ts';
export { formatConversionError } from './values/conversion-error.ts';

// `format` with other clauses
export { type FormatClause, formatByClause } from './libraries/format-verbs.ts';
export { makeFormat } from './libraries/make-format.ts';
