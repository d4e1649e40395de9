// Parts of a library of functions: rules, costs, and functions over values.

// Functions
export { type FunctionRow, functionsOf } from './standard/functions-of.ts';
export { standardLibrary } from './standard/standard-library.ts';

// Rules that the checker applies to calls
export { homogeneousRule } from './check/rules.ts';
export type { TreeRule } from './declarations/library.ts';
export { durationRule, regexRule, timestampRule } from './libraries/literal-rules.ts';

// Costs of calls
export { equalityCost, matchCost, ownCostSize, traversalCost } from './declarations/costs.ts';
export type { CallCost } from './declarations/library.ts';

// `format` with other clauses
export { formatByClause, type FormatClause } from './libraries/format-verbs.ts';
export { makeFormat } from './libraries/make-format.ts';
