import type { Expression } from '../syntax/expression.ts';
import { type Macro, MacroError } from '../syntax/macro.ts';
import { numberKind } from '../values/compare.ts';

function isNumeric(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return numberKind(expression.value) !== undefined;
    case 'list':
    case 'map':
    case 'struct':
      return false;
    default:
      return true;
  }
}

function isNumericList(expression: Expression): boolean {
  return (
    expression.kind === 'list' &&
    expression.elements.length > 0 &&
    expression.elements.every(isNumeric)
  );
}

function extremeMacro(name: 'greatest' | 'least', internal: string): Macro {
  const text = `math.${name}()`;
  return {
    name,
    arity: 'any',
    member: true,
    expand(build, target, values) {
      if (target?.kind !== 'identifier' || target.name !== 'math') return undefined;
      const [first] = values;
      if (first === undefined) {
        return new MacroError(`${text} requires at least one argument`, target);
      }
      if (values.length === 1) {
        return isNumeric(first) || isNumericList(first)
          ? build.call(internal, first)
          : new MacroError(`${text} invalid single argument value`, first);
      }
      const wrong = values.find((value) => !isNumeric(value));
      if (wrong !== undefined) {
        return new MacroError(`${text} simple literal arguments must be numeric`, wrong);
      }
      return values.length === 2
        ? build.call(internal, ...values)
        : build.call(internal, build.list(...values));
    },
  };
}

/** `math.greatest` and `math.least`, which take any number of arguments. */
export const mathMacros: readonly Macro[] = [
  extremeMacro('least', 'math.@min'),
  extremeMacro('greatest', 'math.@max'),
];
