// Texts to results
export { check, evaluate, parse, type TextCheck, type TextOptions } from './evaluate.ts';
export type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
export { ExpressionError } from './expression-error.ts';
export { toCel } from './host/to-cel.ts';
export { type ToJsOptions, toJs } from './values/to-js.ts';

// Environments and programs

// Checking
export type { CheckedExpression, CheckResult, Reference } from './check/checked-expression.ts';
export { homogeneousRule, visitTree } from './check/rules.ts';
export type { EnvironmentDefinitions } from './environment/list-definitions.ts';
export type {
  DescribeSyntaxErrors,
  EnvironmentOptions,
  StructProvider,
} from './environment/options.ts';
export { PlanError } from './environment/plan-error.ts';
export { type CompileResult, Environment } from './environment.ts';
export type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from './function-declaration.ts';
export type { HostFunction } from './host/host-function.ts';
export type { HostClass } from './host/object-types.ts';
export type { JsonSchema, ObjectDefinition, TypeDefinition } from './host/type-definition.ts';
export type { CallCost, Library, TreeRule } from './library.ts';
export type { Observe } from './plan/frame.ts';
export type { PlanOptions } from './plan/planner.ts';
export { type Bindings, type EvaluateOptions, type Evaluation, Program } from './program.ts';
export {
  comparisonCost,
  costSize,
  equalityCost,
  matchCost,
  traversalCost,
} from './standard/costs.ts';
export { libraryFrom } from './standard/library-from.ts';
export { durationRule, regexRule, timestampRule } from './standard/literal-rules.ts';
export { optionalLibrary } from './standard/optionals.ts';
export { comparisonOperators } from './standard/operators.ts';
export { type FindNamedType, overload, typeFrom } from './standard/signature.ts';
export { standardLibrary } from './standard/standard-library.ts';
// Syntax
export type { ParseOptions } from './syntax/expression-parser.ts';
export {
  type CallExpression,
  type ComprehensionExpression,
  childrenOf,
  type Expression,
  type ExpressionNode,
  type IdentifierExpression,
  type ListExpression,
  type LiteralExpression,
  type MacroCall,
  type MapEntry,
  type MapExpression,
  type SelectExpression,
  type StructExpression,
  type StructField,
} from './syntax/expression.ts';
export type { Issue } from './syntax/issue.ts';
export { ExpressionBuilder, type Macro, MacroError } from './syntax/macro.ts';
export { declaredVariables, declaresVariables, loopMacros } from './syntax/macro-variables.ts';
export { type ParseResult, parseExpression } from './syntax/parser.ts';
export { type PrintOptions, printExpression } from './syntax/print-expression.ts';
export { formatIssues, Source } from './syntax/source.ts';
export {
  bindMacro,
  optionalMacros,
  sortByMacro,
  standardMacros,
  twoVariableMacros,
} from './syntax/standard-macros.ts';
// Texts of values

export { formatSeconds } from './values/format-seconds.ts';

// Types
export {
  anyType,
  boolType,
  bytesType,
  formatDeclaredType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  isDynamic,
  isEquivalentType,
  isOptionalType,
  isSameType,
  listOf,
  listType,
  mapOf,
  mapType,
  nullableType,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  structType,
  Type,
  type TypeKind,
  timestampType,
  typeOfType,
  typeParameter,
  formatCelType,
  typeType,
  uintType,
} from './types.ts';
// Values
export { add, isAddable } from './values/arithmetic.ts';
export { compare, isComparable } from './values/compare.ts';
export { equal, isEqual } from './values/equal.ts';
export { type GoForm, type GoFormOf, withGoForms } from './values/go-form.ts';
export { formatGoValue } from './values/format-go-value.ts';
export { goTypeName } from './values/go-type.ts';
export { stringValueOf } from './values/string-value.ts';
export { formatHostLimit } from './values/host-limit.ts';
export { isSum, markSum } from './values/concat-list.ts';
export { type JsonOptions, kubernetesNumbers, numberOf, parseJson } from './values/json.ts';
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
export { formatLiteral } from './values/format-literal.ts';
export { CelMap } from './values/map.ts';
export { mapGet, mapKeys, mapSize } from './values/maps.ts';
export { ObjectValue } from './values/object-value.ts';
export { CustomList } from './values/custom-list.ts';
export { formatCelValue } from './values/format-cel-value.ts';
export {
  CelError,
  Double,
  Duration,
  type Int,
  OpaqueValue,
  Optional,
  type PlainObject,
  SpecialValue,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values/value.ts';
