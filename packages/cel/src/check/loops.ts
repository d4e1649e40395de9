import type { ComprehensionExpression } from '../syntax/expression.ts';
import { boolType, dynType, errorType, formatCelType, intType, type Type } from '../types.ts';
import type { Checking } from './checking.ts';
import { Scope } from './scope.ts';

/** The type of a comprehension: of its result, with the loop variables and the accumulator declared. */
export function checkComprehension(checking: Checking, expression: ComprehensionExpression): Type {
  checking.check(expression.range);
  const accumulator = checking.check(expression.initial);
  const given = checking.types[expression.range.id] ?? dynType;
  const rangeType = checking.substitution.apply(given, false);
  const outer = checking.scope;
  const withAccumulator = new Scope(outer, [[expression.accumulator, accumulator]]);
  checking.scope = new Scope(withAccumulator, loopVariables(checking, expression, rangeType));
  checking.check(expression.condition);
  checking.assert(expression.condition, boolType);
  checking.check(expression.step);
  checking.assert(expression.step, accumulator);
  checking.scope = withAccumulator;
  const result = checking.check(expression.result);
  checking.scope = outer;
  return checking.substitution.apply(result, false);
}

type Declared = readonly (readonly [name: string, type: Type])[];

function loopVariables(
  checking: Checking,
  { range, variable, secondVariable }: ComprehensionExpression,
  rangeType: Type,
): Declared {
  const [first = dynType, second = dynType] = rangeType.parameters;
  const declare = (one: Type, other: Type): Declared =>
    secondVariable === undefined
      ? [[variable, one]]
      : [
          [variable, one],
          [secondVariable, other],
        ];
  switch (rangeType.kind) {
    case 'list':
      return secondVariable === undefined ? declare(first, first) : declare(intType, first);
    case 'map':
      return declare(first, second);
    case 'dyn':
    case 'error':
    case 'param':
      checking.substitution.assign(dynType, rangeType);
      return declare(dynType, dynType);
    default:
      checking.report(
        range.position,
        `expression of type '${formatCelType(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      return declare(errorType, errorType);
  }
}
