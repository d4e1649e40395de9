import type { Expression } from './expression.ts';
import { type ExpressionBuilder, type Macro, MacroError } from './macro.ts';
import {
  collect,
  isAccumulator,
  type LoopParts,
  type Quantifier,
  quantify,
} from './standard-macros.ts';

function loopVariables(
  first: Expression,
  second: Expression,
): { readonly variable: string; readonly secondVariable: string } | MacroError {
  for (const value of [first, second]) {
    if (value.kind !== 'identifier') return new MacroError('argument must be a simple name', value);
  }
  const [variable, secondVariable] = [first, second].map((value) =>
    value.kind === 'identifier' ? value.name : '',
  ) as [string, string];
  if (variable === secondVariable) {
    return new MacroError(`duplicate variable name: ${variable}`, second);
  }
  for (const value of [first, second]) {
    if (value.kind === 'identifier' && isAccumulator(value.name)) {
      return new MacroError('iteration variable overwrites accumulator variable', value);
    }
  }
  return { variable, secondVariable };
}

/** A macro over two variables; the values after them are a predicate (or none) and a last one. */
function twoVariableMacro(
  name: string,
  arity: 3 | 4,
  expand: (
    build: ExpressionBuilder,
    parts: LoopParts & { readonly secondVariable: string },
    predicate: Expression | undefined,
    last: Expression,
  ) => Expression,
): Macro {
  return {
    name,
    arity,
    member: true,
    expand(build, range, values) {
      const [first, second] = values;
      const last = values.at(-1);
      if (range === undefined || first === undefined || second === undefined || !last) {
        return undefined;
      }
      const variables = loopVariables(first, second);
      return variables instanceof MacroError
        ? variables
        : expand(build, { range, ...variables }, arity === 4 ? values[2] : undefined, last);
    },
  };
}

function twoVariableQuantifier(name: string, quantifier: Quantifier): Macro {
  return twoVariableMacro(name, 3, (build, parts, _, predicate) =>
    quantify(quantifier, build, parts, predicate),
  );
}

/** Inserts into the accumulated map for each round in which `predicate`, if any, holds. */
function insertEach(
  build: ExpressionBuilder,
  parts: LoopParts,
  predicate: Expression | undefined,
  inserted: Expression,
): Expression {
  return build.comprehension({
    ...parts,
    initial: build.emptyMap(),
    condition: build.literal(true),
    step:
      predicate === undefined
        ? inserted
        : build.call('_?_:_', predicate, inserted, build.accumulator()),
    result: build.accumulator(),
  });
}

function transformMapMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformMap', arity, (build, parts, predicate, value) =>
    insertEach(
      build,
      parts,
      predicate,
      build.call('cel.@mapInsert', build.accumulator(), build.identifier(parts.variable), value),
    ),
  );
}

function transformMapEntryMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformMapEntry', arity, (build, parts, predicate, entry) =>
    insertEach(build, parts, predicate, build.call('cel.@mapInsert', build.accumulator(), entry)),
  );
}

function transformListMacro(arity: 3 | 4): Macro {
  return twoVariableMacro('transformList', arity, collect);
}

/** `all`, `exists`, `existsOne`, `transformList`, `transformMap` and `transformMapEntry` over two variables. */
export const twoVariableMacros: readonly Macro[] = [
  twoVariableQuantifier('all', 'all'),
  twoVariableQuantifier('exists', 'exists'),
  twoVariableQuantifier('existsOne', 'existsOne'),
  twoVariableQuantifier('exists_one', 'existsOne'),
  transformListMacro(3),
  transformListMacro(4),
  transformMapMacro(3),
  transformMapMacro(4),
  transformMapEntryMacro(3),
  transformMapEntryMacro(4),
];
