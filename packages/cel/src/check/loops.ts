import type { ComprehensionExpression } from '../syntax/expression.ts';
import {
  boolType,
  dynType,
  errorType,
  formatCelType,
  intType,
  type Type,
} from '../values/types.ts';
import type { Checking } from './checking.ts';
import type { Scope } from './scope.ts';

/** The type of a comprehension: of its result, with the loop variables and the accumulator declared. */
export function checkComprehension(checking: Checking, expression: ComprehensionExpression): Type {
  checking.check(expression.range);
  const accumulator = checking.check(expression.initial);
  const given = checking.types[expression.range.id] ?? dynType;
  const rangeType = checking.substitution.apply(given, false);
  const outer = checking.scope;
  const withAccumulator = { outer, name: expression.accumulator, type: accumulator };
  checking.scope = withLoopVariables(checking, expression, rangeType, withAccumulator);
  checking.check(expression.condition);
  checking.assert(expression.condition, boolType);
  checking.check(expression.step);
  checking.assert(expression.step, accumulator);
  checking.scope = withAccumulator;
  const result = checking.check(expression.result);
  checking.scope = outer;
  return checking.substitution.apply(result, false);
}

function withLoopVariables(
  checking: Checking,
  { range, variable, secondVariable }: ComprehensionExpression,
  rangeType: Type,
  outer: Scope,
): Scope {
  let one = rangeType.parameters[0] ?? dynType;
  let other = rangeType.parameters[1] ?? dynType;
  switch (rangeType.kind) {
    case 'list':
      other = one;
      if (secondVariable !== undefined) one = intType;
      break;
    case 'map':
      break;
    case 'dyn':
    case 'error':
    case 'param':
      checking.substitution.assign(dynType, rangeType);
      one = dynType;
      other = dynType;
      break;
    default:
      checking.report(
        range.position,
        `expression of type '${formatCelType(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      one = errorType;
      other = errorType;
  }
  const first = { outer, name: variable, type: one };
  return secondVariable === undefined ? first : { outer: first, name: secondVariable, type: other };
}
