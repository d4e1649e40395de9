// Shared with other packages of kubeadmit; unstable.

// Syntax
export {
  type CallExpression,
  type ComprehensionExpression,
  childrenOf,
  type SelectExpression,
} from './syntax/expression.ts';
export { declaredVariables, declaresVariables, loopMacros } from './syntax/macro-variables.ts';
export { isReservedWord, keywords } from './syntax/reserved-words.ts';
export { Source } from './syntax/source.ts';

// Checking and environments
export type { CheckedExpression, CheckResult } from './check/checked-expression.ts';
export { homogeneousRule } from './check/rules.ts';
export { ValueEnvironment } from './environment/value-environment.ts';
export type { DescribeSyntaxErrors } from './environment/options.ts';
export type { CallCost, TreeRule } from './declarations/library.ts';
export { durationRule, regexRule, timestampRule } from './libraries/literal-rules.ts';
export { comparisonOperators } from './standard/operators.ts';
export { type FunctionRow, functionsOf } from './standard/functions-of.ts';
export { standardLibrary } from './standard/standard-library.ts';

// Evaluation and its cost
export { interruptedBy, interruptedText, isInterrupted } from './plan/frame.ts';
export type { PlanOptions } from './plan/planner.ts';
export { equalityCost, matchCost, ownCostSize, traversalCost } from './declarations/costs.ts';

// Types
export {
  anyType,
  boolType,
  bytesType,
  formatDeclaredType,
  doubleType,
  durationType,
  dynType,
  intType,
  isDynamic,
  isOptionalType,
  isSameType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  structType,
  timestampType,
  formatCelType,
  typeType,
  uintType,
} from './values/types.ts';

// Values
export { add, isAddable } from './values/arithmetic.ts';
export { compare, isComparable } from './values/compare.ts';
export { equal, isEqual } from './values/equal.ts';
export { formatGoData, formatGoValue } from './values/format-go-value.ts';
export { goTypeName } from './values/go-type.ts';
export { nativeStringOf } from './values/native-string.ts';
export { noOverload } from './values/no-overload.ts';
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
export { toJsonValue } from './values/json-value.ts';
export { formatConversionError } from './values/conversion-error.ts';
export {
  doubleValue,
  isInt,
  isList,
  isMap,
  isPlainObject,
  makeDouble,
  makeInt,
  typeOf,
} from './values/kind.ts';
export { CelMap } from './values/map.ts';
export { mapGet, mapKeys, mapSize } from './values/maps.ts';
export { Lister } from './values/lister.ts';
export { formatCelValue } from './values/format-cel-value.ts';
export {
  type Int,
  OpaqueValue,
  type PlainObject,
  SpecialValue,
  StructValue,
} from './values/value.ts';

// `format` with other clauses
export { type FormatClause, formatByClause } from './libraries/format-verbs.ts';
export { makeFormat } from './libraries/make-format.ts';
