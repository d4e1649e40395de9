import type { Expression } from './expression.ts';
import { LiteralParser } from './literal-parser.ts';
import { ExpressionBuilder, type Macro, MacroError } from './macro.ts';
import { SyntaxFailure } from './token-reader.ts';

/** What {@link parse} understands. */
export interface ParseOptions {
  readonly macros?: readonly Macro[];
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are understood; true unless said otherwise. */
  readonly optionalSyntax?: boolean;
  /** Whether names in backticks are understood after a dot; true unless said otherwise. */
  readonly escapedIdentifiers?: boolean;
}

/** Makes calls of what was parsed, or what macros make of them, and parses what calls have in brackets. */
export abstract class CallParser extends LiteralParser {
  private readonly macros: ReadonlyMap<string, readonly Macro[]>;
  private readonly optionalSyntax: boolean;
  private readonly escapedIdentifiers: boolean;

  constructor(text: string, options: ParseOptions) {
    super(text);
    this.optionalSyntax = options.optionalSyntax ?? true;
    this.escapedIdentifiers = options.escapedIdentifiers ?? true;
    this.macros = macrosByName(options.macros ?? []);
  }

  protected abstract expression(): Expression;

  /** A call, or the tree that takes its place. */
  protected call(
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
    const macro = this.findMacro(name, values.length, target !== undefined);
    if (macro === undefined) {
      return call;
    }
    const build = new ExpressionBuilder(() => this.nextId(), position);
    const expanded = macro.expand(build, target, values);
    if (expanded === undefined) {
      return call;
    }
    if (expanded instanceof MacroError) {
      throw new SyntaxFailure(expanded.message, expanded.at.position);
    }
    return { ...expanded, macro: { name, target, arguments: values } };
  }

  private findMacro(name: string, count: number, member: boolean): Macro | undefined {
    const named = this.macros.get(name)?.filter((macro) => macro.member === member);
    return (
      named?.find(({ arity }) => arity === count) ?? named?.find(({ arity }) => arity === 'any')
    );
  }

  /** arguments: [expression {',' expression}] end */
  protected expressionList(end: ')'): Expression[] {
    const values: Expression[] = [];
    let height = 0;
    if (!this.at(end)) {
      values.push(this.expression());
      height = this.height;
      while (this.token.kind === ',') {
        this.advance();
        values.push(this.expression());
        height = Math.max(height, this.height);
      }
    }
    this.expect(end);
    this.height = height;
    return values;
  }

  /** A question mark, if there is one. */
  protected optionalMark(): boolean {
    if (this.token.kind !== '?') {
      return false;
    }
    const { start } = this.advance();
    if (!this.optionalSyntax) {
      throw new SyntaxFailure("unsupported syntax '?'", start);
    }
    return true;
  }

  /** name: identifier | escaped identifier */
  protected fieldName(): {
    readonly text: string;
    readonly position: number;
    readonly escaped: boolean;
  } {
    const { kind, start, end } = this.token;
    if (kind === 'escaped identifier') {
      if (!this.escapedIdentifiers) {
        throw new SyntaxFailure("unsupported syntax: '`'", start);
      }
      this.advance();
      return { text: this.text.slice(start + 1, end - 1), position: start, escaped: true };
    }
    this.expect('identifier');
    return { text: this.text.slice(start, end), position: start, escaped: false };
  }
}

/** Macros by name, the last of a signature first. */
function macrosByName(macros: readonly Macro[]): MacrosByName {
  const indexed = indexedMacros.get(macros);
  if (indexed !== undefined) {
    return indexed;
  }
  const byName = new Map<string, Macro[]>();
  for (const macro of macros) {
    const known = byName.get(macro.name);
    if (known === undefined) {
      byName.set(macro.name, [macro]);
    } else {
      known.unshift(macro);
    }
  }
  indexedMacros.set(macros, byName);
  return byName;
}

type MacrosByName = ReadonlyMap<string, readonly Macro[]>;

// Environments hand the same list to every parse.
const indexedMacros = new WeakMap<readonly Macro[], MacrosByName>();
