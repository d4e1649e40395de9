// JMESPath in Kyverno's dialect, which needs no policies.

export {
  compileExpression,
  type Expression,
  type SearchOptions,
  search,
} from './jmespath/expression.ts';
// Syntax trees
export { functionNames } from './jmespath/functions/table.ts';
export type { Node } from './jmespath/node.ts';
export { parse } from './jmespath/parse.ts';
export { Failure } from './jmespath/steps/failure.ts';
