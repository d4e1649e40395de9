import { overload } from '../../src/declarations/signature.ts';
import type { Library } from '../../src/index.ts';
import type { ListExpression } from '../../src/syntax/expression.ts';
import { MacroError } from '../../src/syntax/macro.ts';
import type { Expression, ExpressionBuilder, Macro } from '../../src/syntax.ts';

// The macros with which cel-spec writes optimized expressions: `cel.block([a, b], c)` evaluates `c`, in which
// `cel.index(0)` is `a`; `cel.iterVar(1, 0)` and `cel.accuVar(1, 0)` are names that no source can contain.

function isCel(target: Expression | undefined): boolean {
  return target?.kind === 'identifier' && target.name === 'cel';
}

function celMacro(
  name: string,
  arity: number,
  expand: (
    build: ExpressionBuilder,
    values: readonly Expression[],
  ) => Expression | MacroError | undefined,
): Macro {
  return {
    name,
    arity,
    member: true,
    expand: (build, target, values) => (isCel(target) ? expand(build, values) : undefined),
  };
}

function numbers(values: readonly Expression[]): readonly number[] {
  return values.map((value) => (value.kind === 'literal' ? Number(value.value) : Number.NaN));
}

function blockMacro(
  expand: (build: ExpressionBuilder, list: ListExpression, body: Expression) => Expression,
): Macro {
  return celMacro('block', 2, (build, [list, body]) => {
    if (list === undefined || body === undefined) return undefined;
    return list.kind === 'list'
      ? expand(build, list, body)
      : new MacroError('cel.block requires the first arg to be a list literal', list);
  });
}

/** Each value bound to its name in all that follows. */
const boundBlock = blockMacro((build, { elements }, body) =>
  elements.reduceRight(
    (inner, value, index) =>
      build.comprehension({
        range: build.list(),
        variable: '#unused',
        accumulator: `@index${index}`,
        initial: value,
        condition: build.literal(false),
        step: build.identifier(`@index${index}`),
        result: inner,
      }),
    body,
  ),
);

/** The call that cel-go's macro makes, for the checker only. */
const calledBlock = blockMacro((build, list, body) => build.call('cel.@block', list, body));

const index = celMacro('index', 1, (build, values) =>
  build.identifier(`@index${numbers(values)[0]}`),
);

function loopName(name: string, prefix: string): Macro {
  return celMacro(name, 2, (build, values) =>
    build.identifier([prefix, ...numbers(values)].join(':')),
  );
}

const names: readonly Macro[] = [index, loopName('iterVar', '@it'), loopName('accuVar', '@ac')];

/** The macros, with blocks that can be evaluated. */
export const blockLibrary: Library = { name: 'block', macros: [boundBlock, ...names] };

/** The macros and the declarations of cel-go's conformance runner, with which it checks. */
export const blockDeclarations: Library = {
  name: 'block declarations',
  macros: [calledBlock, ...names],
  functions: [
    {
      name: 'cel.@block',
      overloads: [overload('cel_block_list', '(list<dyn>, A) -> A')],
    },
  ],
};

/** The variables that stand for the values of a block while checking. */
export const blockVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 30 }, (_, number) => [`@index${number}`, 'dyn']),
);
