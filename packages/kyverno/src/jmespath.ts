// JMESPath in Kyverno's dialect, which needs no policies.

export {
  compileExpression,
  type Expression,
  type SearchOptions,
  search,
} from './jmespath/expression.ts';
export { Failure } from './jmespath/steps/failure.ts';
