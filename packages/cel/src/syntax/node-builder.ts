import { getOrMake, groupBy } from '@kubeadmit/base';
import type { Expression, MacroCall } from './expression.ts';
import { ExpressionBuilder, type Macro, MacroError } from './macro.ts';
import { SyntaxFailure } from './token-reader.ts';

const maximalDepth = 250;
// More than any text within the limit of code points has, unless macros double their operand repeatedly, which would
// take cel-go exponential time.
const maximalNodes = 200_000;

/** Numbers the nodes of a tree, measures its height, and replaces calls by the expansions of their macros. */
export class NodeBuilder {
  /** How many levels the tree has that was parsed last, as cel-go counts them. */
  height = 0;
  #ids = 0;
  readonly #macros: MacrosByName;

  constructor(macros: readonly Macro[]) {
    this.#macros = macrosByName(macros);
  }

  nextId(): number {
    if (this.#ids >= maximalNodes) {
      const message = `expression with its macros expanded exceeds limit: ${maximalNodes} nodes`;
      throw new SyntaxFailure(message, -1, 'limit');
    }
    return ++this.#ids;
  }

  /** Makes the tree one level higher than its children. */
  grow(below: number): void {
    this.height = below + 1;
    if (this.height > maximalDepth) {
      throw new SyntaxFailure('max recursion depth exceeded', -1, 'limit');
    }
  }

  /** A call, or the tree that takes its place. */
  call(
    id: number,
    position: number,
    name: string,
    target: Expression | undefined,
    values: readonly Expression[],
  ): Expression {
    const call: Expression = {
      kind: 'call',
      id,
      position,
      function: name,
      target,
      arguments: values,
    };
    const macro = this.#findMacro(name, values.length, target !== undefined);
    if (macro === undefined) return call;
    const build = new ExpressionBuilder(() => this.nextId(), position);
    const expanded = macro.expand(build, target, values);
    if (expanded === undefined) return call;
    if (expanded instanceof MacroError) {
      throw new SyntaxFailure(expanded.message, expanded.at.position);
    }
    return withMacro(expanded, { name, target, arguments: values });
  }

  #findMacro(name: string, count: number, member: boolean): Macro | undefined {
    const named = this.#macros.get(name);
    if (named === undefined) return undefined;
    let found: Macro | undefined;
    for (const macro of named) {
      if (macro.member !== member) continue;
      if (macro.arity === count) return macro;
      if (macro.arity === 'any') found ??= macro;
    }
    return found;
  }
}

function withMacro(expanded: Expression, macro: MacroCall): Expression {
  if (expanded.kind !== 'comprehension') return { ...expanded, macro };
  // Most often it is a loop, and copying member by member is much faster.
  const { id, position, range, variable, secondVariable, accumulator } = expanded;
  const { initial, condition, step, result } = expanded;
  return {
    kind: 'comprehension',
    id,
    position,
    range,
    variable,
    secondVariable,
    accumulator,
    initial,
    condition,
    step,
    result,
    macro,
  };
}

/** Ends the parse where the rules of cel-go's grammar would be nested too deeply. */
export function limitNesting(depth: number): void {
  if (depth > maximalDepth) {
    throw new SyntaxFailure(`expression recursion limit exceeded: ${maximalDepth}`, -1, 'limit');
  }
}

type MacrosByName = ReadonlyMap<string, readonly Macro[]>;

// Environments hand the same list to every parse.
const indexedMacros = new WeakMap<readonly Macro[], MacrosByName>();

// The last of a signature comes first.
function macrosByName(macros: readonly Macro[]): MacrosByName {
  return getOrMake(indexedMacros, macros, () => groupBy(macros.toReversed(), ({ name }) => name));
}
