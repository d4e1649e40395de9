import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import type { Source } from '../syntax/source.ts';
import { boolType, dynType, errorType, intType, type Type, typeText } from '../types.ts';
import { typeOf } from '../values/kind.ts';
import type { CheckResult } from './checked-expression.ts';
import { LiteralChecker } from './literal-checker.ts';
import { type Declarations, Scope } from './scope.ts';

/** Finds the types of a tree; its issues have cel-go's texts and order. Never throws. */
export function check(
  source: Source,
  expression: Expression,
  declarations: Declarations,
): CheckResult {
  const checker = new Checker(source, declarations);
  checker.check(expression);
  return {
    source,
    expression,
    types: checker.types.map((type) => type && checker.substitution.apply(type, true)),
    references: checker.references,
    issues: checker.issues,
  };
}

/** Checks any node, loops among them. */
class Checker extends LiteralChecker {
  override check(expression: Expression): Type {
    const type = this.typeOf(expression);
    this.types[expression.id] = type;
    return type;
  }

  private typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return typeOf(expression.value);
      case 'identifier':
        return this.identifier(expression.id, expression.position, expression.name);
      case 'select':
        return this.select(expression);
      case 'call':
        return this.call(expression);
      case 'list':
        return this.list(expression);
      case 'map':
        return this.map(expression);
      case 'struct':
        return this.struct(expression);
      case 'comprehension':
        return this.comprehension(expression);
      default:
        return expression satisfies never;
    }
  }

  private comprehension(expression: ComprehensionExpression): Type {
    this.check(expression.range);
    const accumulator = this.check(expression.initial);
    const rangeType = this.substitution.apply(this.types[expression.range.id] ?? dynType, false);
    const outer = this.scope;
    this.scope = new Scope(outer, [[expression.accumulator, accumulator]]);
    const withAccumulator = this.scope;
    this.scope = new Scope(withAccumulator, this.loopVariables(expression, rangeType));
    this.check(expression.condition);
    this.assert(expression.condition, boolType);
    this.check(expression.step);
    this.assert(expression.step, accumulator);
    this.scope = withAccumulator;
    const result = this.check(expression.result);
    this.scope = outer;
    return this.substitution.apply(result, false);
  }

  private loopVariables(
    expression: ComprehensionExpression,
    rangeType: Type,
  ): readonly (readonly [string, Type])[] {
    const two = expression.secondVariable;
    const [first = dynType, second = dynType] = rangeType.parameters;
    const declare = (one: Type, other: Type): readonly (readonly [string, Type])[] =>
      two === undefined
        ? [[expression.variable, one]]
        : [
            [expression.variable, one],
            [two, other],
          ];
    switch (rangeType.kind) {
      case 'list':
        return two === undefined ? declare(first, first) : declare(intType, first);
      case 'map':
        return declare(first, second);
      case 'dyn':
      case 'error':
      case 'param':
        this.substitution.assign(dynType, rangeType);
        return declare(dynType, dynType);
      default:
        this.report(
          expression.range.position,
          `expression of type '${typeText(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return declare(errorType, errorType);
    }
  }
}
