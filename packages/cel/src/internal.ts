// Shared with other packages of kubeadmit; unstable.

// Checking and environments
export type { CheckedExpression, CheckResult } from './declarations/checked-expression.ts';
export { ValueEnvironment } from './environment/value-environment.ts';
export type { DescribeSyntaxErrors } from './environment/options.ts';

// Evaluation and its cost
export { interruptedBy, interruptedText, isInterrupted } from './plan/frame.ts';
export type { PlanOptions } from './plan/planner.ts';

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
