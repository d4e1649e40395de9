// The values that the expressions of policies had for a request, part by part.

export type {
  ExplainedExpression,
  ExplainedPart,
  ExplainedStep,
  ExplainedTurn,
} from './expressions/explained-expression.ts';
export type { LineOfPath, ObjectPath, ReadLine } from './expressions/object-paths.ts';
// Their explanation
export {
  asWritten,
  type EvaluationGroup,
  type ExpressionOptions,
  evaluationOf,
  explainExpressions,
  groupsOf,
  hasEvaluated,
  parameterOf,
} from './expressions/observed-expressions.ts';
// Evaluations of a chain that was loaded with the observer
export { EvaluationObserver } from './expressions/observer.ts';
export { elementText, valueText } from './expressions/value-text.ts';
