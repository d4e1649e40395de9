// Texts to results
export { check, evaluate, parse, type TextCheck } from './environment/evaluate.ts';
export type { TextOptions } from './environment/text-compiler.ts';
export type { Evaluator, EvaluatorOptions, Variables } from './environment/evaluator.ts';
export { ExpressionError } from './environment/expression-error.ts';
export type { Issue } from './syntax/issue.ts';
export { formatIssues } from './syntax/format-issues.ts';

// Values
export {
  CelError,
  Double,
  Duration,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values/value.ts';
export { toCel } from './host/to-cel.ts';
export { type ToJsOptions, toJs } from './values/to-js.ts';
export { type JsonOptions, parseJson } from './values/json.ts';
export { typeFrom } from './declarations/signature.ts';
export { formatLiteral } from './values/format-literal.ts';

// Environments and programs
export { Environment } from './environment/environment.ts';
export type { CompileResult } from './environment/compiler.ts';
export type { EnvironmentDefinitions } from './environment/list-definitions.ts';
export type { EnvironmentOptions, StructProvider } from './environment/options.ts';
export type { FieldReader } from './plan/apply-qualifiers.ts';
export type { Bindings } from './plan/bindings.ts';
export { type EvaluateOptions, type Evaluation, Program } from './environment/program.ts';

// Declarations of an environment
export type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from './declarations/function-declaration.ts';
export type { HostClass } from './host/object-types.ts';
export type { HostFunction } from './host/host-function.ts';
export type { JsonSchema, ObjectDefinition, TypeDefinition } from './host/type-definition.ts';
export type { Library } from './declarations/library.ts';
export { libraryFrom } from './host/library-from.ts';
export { Type } from './values/types.ts';
