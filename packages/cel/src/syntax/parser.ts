import type { Value } from '../values/value.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import type { Issue } from './issue.ts';
import { Lexer, type Token, type TokenKind } from './lexer.ts';
import {
  bytesLiteral,
  doubleLiteral,
  intLiteral,
  stringLiteral,
  UnescapeError,
  uintLiteral,
} from './literal.ts';
import { ExpressionBuilder, type Macro, MacroError } from './macro.ts';
import { Source } from './source.ts';

/** What {@link parse} understands. */
export interface ParseOptions {
  readonly macros?: readonly Macro[];
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are understood; true unless said otherwise. */
  readonly optionalSyntax?: boolean;
  /** Whether names in backticks are understood after a dot; true unless said otherwise. */
  readonly escapedIdentifiers?: boolean;
}

/** A tree, or why there is none. */
export type ParseResult =
  | { readonly source: Source; readonly expression: Expression; readonly issues: readonly [] }
  | { readonly source: Source; readonly expression?: undefined; readonly issues: readonly Issue[] };

const maximalCodePoints = 100_000;
const maximalDepth = 250;

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const relations: Readonly<Partial<Record<TokenKind, string>>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>=': '_>=_',
  '>': '_>_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
};

const arithmetic: Readonly<Partial<Record<TokenKind, readonly [name: string, level: number]>>> = {
  '+': ['_+_', 1],
  '-': ['_-_', 1],
  '*': ['_*_', 2],
  '/': ['_/_', 2],
  '%': ['_%_', 2],
};

/**
 * Parses an expression, with the limits that cel-go has for size and nesting.
 *
 * Never throws. The first syntax error ends it: the texts and further errors that cel-go gives are
 * those of `@kubeadmit/cel/syntax-errors`.
 */
export function parse(text: string, options: ParseOptions = {}): ParseResult {
  const source = new Source(text);
  if (text.length > maximalCodePoints) {
    const size = codePointCount(text);
    if (size > maximalCodePoints) {
      const message = `expression code point size exceeds limit: size: ${size}, limit ${maximalCodePoints}`;
      return { source, issues: [source.issue('limit', -1, message)] };
    }
  }
  try {
    return { source, expression: new Parser(text, options).parse(), issues: [] };
  } catch (failure) {
    if (failure instanceof SyntaxFailure) {
      return { source, issues: [source.issue(failure.code, failure.position, failure.message)] };
    }
    throw failure;
  }
}

class SyntaxFailure extends Error {
  readonly code: 'syntax' | 'limit';
  readonly position: number;

  constructor(message: string, position: number, code: 'syntax' | 'limit' = 'syntax') {
    super(message);
    this.position = position;
    this.code = code;
  }
}

class Parser {
  private readonly text: string;
  private readonly lexer: Lexer;
  private readonly macros: ReadonlyMap<string, readonly Macro[]>;
  private readonly optionalSyntax: boolean;
  private readonly escapedIdentifiers: boolean;
  private token: Token;
  private ids = 0;
  // How deep the rules of cel-go's grammar are nested at this place.
  private expressions = 0;
  private relationDepth = 0;
  private arithmeticDepth = 0;
  // How many levels the tree has that was parsed last, as cel-go counts them.
  private height = 0;

  constructor(text: string, options: ParseOptions) {
    this.text = text;
    this.lexer = new Lexer(text);
    this.token = this.lexer.next();
    this.optionalSyntax = options.optionalSyntax ?? true;
    this.escapedIdentifiers = options.escapedIdentifiers ?? true;
    this.macros = macrosByName(options.macros ?? []);
  }

  /** start: expression end */
  parse(): Expression {
    const expression = this.expression();
    this.expect('end');
    return expression;
  }

  /** expression: or ['?' or ':' expression] */
  private expression(): Expression {
    this.nest(++this.expressions);
    const condition = this.or();
    if (this.token.kind !== '?') {
      this.expressions--;
      return condition;
    }
    let height = this.height;
    const position = this.advance().start;
    const id = this.nextId();
    const whenTrue = this.or();
    height = Math.max(height, this.height);
    this.expect(':');
    const whenFalse = this.expression();
    this.grow(Math.max(height, this.height));
    this.expressions--;
    return this.call(id, position, '_?_:_', undefined, [condition, whenTrue, whenFalse]);
  }

  /** or: and {'||' and} */
  private or(): Expression {
    return this.logic('||', '_||_', () => this.and());
  }

  /** and: relation {'&&' relation} */
  private and(): Expression {
    return this.logic('&&', '_&&_', () => this.relation());
  }

  /** Any number of terms, as a balanced tree. */
  private logic(operator: '||' | '&&', name: string, term: () => Expression): Expression {
    const first = term();
    if (this.token.kind !== operator) {
      return first;
    }
    const terms = [first];
    const operators: { readonly id: number; readonly position: number }[] = [];
    let height = this.height;
    while (this.token.kind === operator) {
      const position = this.advance().start;
      terms.push(term());
      height = Math.max(height, this.height);
      operators.push({ id: this.nextId(), position });
    }
    this.height = height;
    const balance = (low: number, high: number): Expression => {
      const middle = (low + high + 1) >> 1;
      const { id, position } = operators[middle] ?? { id: 0, position: 0 };
      const left = middle === low ? terms[middle] : balance(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : balance(middle + 1, high);
      return {
        kind: 'call',
        id,
        position,
        function: name,
        target: undefined,
        arguments: [left ?? first, right ?? first],
      };
    };
    return balance(0, operators.length - 1);
  }

  /** relation: sum {('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') sum} */
  private relation(): Expression {
    this.nest(++this.relationDepth);
    let left = this.arithmetic(1);
    for (;;) {
      const name = relations[this.token.kind];
      if (name === undefined) {
        this.relationDepth--;
        return left;
      }
      const height = this.height;
      const position = this.advance().start;
      const id = this.nextId();
      this.nest(++this.relationDepth);
      const right = this.arithmetic(1);
      this.relationDepth--;
      this.grow(Math.max(height, this.height));
      left = this.call(id, position, name, undefined, [left, right]);
    }
  }

  /** sum: product {('+' | '-') product}; product: unary {('*' | '/' | '%') unary} */
  private arithmetic(minimalLevel: number): Expression {
    this.nest(++this.arithmeticDepth);
    let left = this.unary();
    for (;;) {
      const [name, level] = arithmetic[this.token.kind] ?? ['', 0];
      if (level < minimalLevel) {
        this.arithmeticDepth--;
        return left;
      }
      const height = this.height;
      const position = this.advance().start;
      const id = this.nextId();
      const right = this.arithmetic(level + 1);
      this.grow(Math.max(height, this.height));
      left = this.call(id, position, name, undefined, [left, right]);
    }
  }

  /** unary: member | '!' {'!'} member | '-' {'-'} member */
  private unary(): Expression {
    const operator = this.token.kind;
    if (operator !== '!' && operator !== '-') {
      return this.member();
    }
    const position = this.token.start;
    let count = 0;
    while (this.token.kind === operator) {
      count++;
      this.advance();
    }
    if (
      operator === '-' &&
      count === 1 &&
      (this.token.kind === 'int' || this.token.kind === 'double')
    ) {
      return this.member(position);
    }
    if (count % 2 === 0) {
      return this.member();
    }
    const id = this.nextId();
    const operand = this.member();
    return this.call(id, position, operator === '!' ? '!_' : '-_', undefined, [operand]);
  }

  /** member: primary {'.' ['?'] name | '.' name '(' arguments ')' | '[' ['?'] expression ']'} */
  private member(sign?: number): Expression {
    let operand = sign === undefined ? this.primary() : this.signedNumber(sign);
    for (;;) {
      if (this.token.kind === '.') {
        operand = this.select(operand);
      } else if (this.token.kind === '[') {
        operand = this.index(operand);
      } else {
        return operand;
      }
    }
  }

  private select(operand: Expression): Expression {
    let height = this.height;
    const position = this.advance().start;
    const optional = this.optionalMark();
    const name = this.fieldName();
    if (this.token.kind === '(' && !optional && !name.escaped) {
      const open = this.advance().start;
      const id = this.nextId();
      const values = this.expressionList(')');
      height = Math.max(height, this.height);
      this.grow(height);
      return this.call(id, open, name.text, operand, values);
    }
    this.grow(height);
    if (!optional) {
      return {
        kind: 'select',
        id: this.nextId(),
        position,
        operand,
        field: name.text,
        test: false,
      };
    }
    const id = this.nextId();
    const field: Expression = {
      kind: 'literal',
      id: this.nextId(),
      position: name.position,
      value: name.text,
    };
    return this.call(id, position, '_?._', undefined, [operand, field]);
  }

  private index(operand: Expression): Expression {
    const height = this.height;
    const position = this.advance().start;
    const id = this.nextId();
    const optional = this.optionalMark();
    const index = this.expression();
    this.expect(']');
    this.grow(Math.max(height, this.height));
    return this.call(id, position, optional ? '_[?_]' : '_[_]', undefined, [operand, index]);
  }

  /** primary: ['.'] name ['(' arguments ')' | {'.' name} '{' fields '}'] | '(' expression ')' | list | map | literal */
  private primary(): Expression {
    const { kind, start } = this.token;
    this.height = 0;
    switch (kind) {
      case '(': {
        this.advance();
        const inner = this.expression();
        this.expect(')');
        return inner;
      }
      case '[':
        return this.list();
      case '{':
        return this.map();
      case '-':
        this.advance();
        return this.signedNumber(start);
      case '.':
      case 'identifier':
        return this.named();
      default:
        return this.literal();
    }
  }

  private named(): Expression {
    const { start } = this.token;
    const rooted = this.token.kind === '.';
    if (rooted) {
      this.advance();
    }
    const word = this.expect('identifier');
    const name = this.text.slice(word.start, word.end);
    const struct = this.structName(name);
    if (struct !== undefined) {
      return this.struct(rooted ? `.${struct}` : struct);
    }
    if (reserved.has(name)) {
      throw new SyntaxFailure(`reserved identifier: ${name}`, start);
    }
    const full = rooted ? `.${name}` : name;
    if (this.token.kind === '(') {
      const position = this.advance().start;
      const id = this.nextId();
      return this.call(id, position, full, undefined, this.expressionList(')'));
    }
    return { kind: 'identifier', id: this.nextId(), position: word.start, name: full };
  }

  /**
   * The dotted name of a struct literal; `undefined`, with nothing read, where `{` does not follow
   * a dotted name.
   */
  private structName(first: string): string | undefined {
    if (this.token.kind === '{') {
      return first;
    }
    if (this.token.kind !== '.') {
      return undefined;
    }
    const rest = structNameRest;
    rest.lastIndex = this.token.start;
    const found = rest.exec(this.text);
    if (found === null) {
      return undefined;
    }
    let name = first;
    while (this.token.kind === '.') {
      this.advance();
      const word = this.expect('identifier');
      name += `.${this.text.slice(word.start, word.end)}`;
    }
    return name;
  }

  private struct(name: string): Expression {
    const position = this.expect('{').start;
    const id = this.nextId();
    const fields: StructField[] = [];
    let height = 0;
    this.skipLoneComma('}');
    while (!this.at('}')) {
      const optional = this.optionalMark();
      const field = this.fieldName();
      const colon = this.expect(':').start;
      const fieldId = this.nextId();
      const value = this.expression();
      height = Math.max(height, this.height);
      fields.push({ id: fieldId, position: colon, name: field.text, value, optional });
      if (!this.at('}')) {
        this.expect(',');
      }
    }
    this.advance();
    this.height = height;
    return { kind: 'struct', id, position, name, fields };
  }

  private list(): Expression {
    const position = this.advance().start;
    const id = this.nextId();
    const elements: Expression[] = [];
    const optional: number[] = [];
    let height = 0;
    this.skipLoneComma(']');
    while (!this.at(']')) {
      if (this.optionalMark()) {
        optional.push(elements.length);
      }
      elements.push(this.expression());
      height = Math.max(height, this.height);
      if (!this.at(']')) {
        this.expect(',');
      }
    }
    this.advance();
    this.height = height;
    return { kind: 'list', id, position, elements, optional };
  }

  private map(): Expression {
    const position = this.advance().start;
    const id = this.nextId();
    const entries: MapEntry[] = [];
    let height = 0;
    this.skipLoneComma('}');
    while (!this.at('}')) {
      const optional = this.optionalMark();
      const key = this.expression();
      height = Math.max(height, this.height);
      const colon = this.expect(':').start;
      const entryId = this.nextId();
      const value = this.expression();
      height = Math.max(height, this.height);
      entries.push({ id: entryId, position: colon, key, value, optional });
      if (!this.at('}')) {
        this.expect(',');
      }
    }
    this.advance();
    this.height = height;
    return { kind: 'map', id, position, entries };
  }

  /** `[,]`, `{,}` and `Type{,}` are empty literals to cel-go's grammar. */
  private skipLoneComma(end: ']' | '}'): void {
    if (this.token.kind === ',') {
      const comma = this.advance();
      if (!this.at(end)) {
        this.fail(comma);
      }
    }
  }

  private expressionList(end: ')'): Expression[] {
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

  private optionalMark(): boolean {
    if (this.token.kind !== '?') {
      return false;
    }
    const { start } = this.advance();
    if (!this.optionalSyntax) {
      throw new SyntaxFailure("unsupported syntax '?'", start);
    }
    return true;
  }

  private fieldName(): {
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

  private signedNumber(position: number): Expression {
    const { kind, start, end } = this.token;
    this.height = 0;
    if (kind !== 'int' && kind !== 'double') {
      return this.fail(this.token);
    }
    this.advance();
    const text = `-${this.text.slice(start, end)}`;
    const value = kind === 'int' ? intLiteral(text) : doubleLiteral(text);
    return this.literalNode(position, value, kind);
  }

  private literal(): Expression {
    const token = this.token;
    const text = this.text.slice(token.start, token.end);
    switch (token.kind) {
      case 'int':
        this.advance();
        return this.literalNode(token.start, intLiteral(text), 'int');
      case 'uint':
        this.advance();
        return this.literalNode(token.start, uintLiteral(text), 'uint');
      case 'double':
        this.advance();
        return this.literalNode(token.start, doubleLiteral(text), 'double');
      case 'string':
      case 'bytes':
        this.advance();
        return this.literalNode(token.start, this.unescape(token, text), token.kind);
      case 'true':
      case 'false':
        this.advance();
        return this.literalNode(token.start, token.kind === 'true', 'bool');
      case 'null':
        this.advance();
        return this.literalNode(token.start, null, 'null');
      default:
        return this.fail(token);
    }
  }

  private unescape(token: Token, text: string): Value {
    try {
      return token.kind === 'string' ? stringLiteral(text) : bytesLiteral(text);
    } catch (failure) {
      if (failure instanceof UnescapeError) {
        throw new SyntaxFailure(failure.message, token.start);
      }
      throw failure;
    }
  }

  private literalNode(position: number, value: Value | undefined, type: string): Expression {
    if (value === undefined) {
      throw new SyntaxFailure(`invalid ${type} literal`, position);
    }
    return { kind: 'literal', id: this.nextId(), position, value };
  }

  private call(
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

  private nextId(): number {
    return ++this.ids;
  }

  private at(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  private advance(): Token {
    const token = this.token;
    this.token = this.lexer.next();
    return token;
  }

  private expect(kind: TokenKind): Token {
    if (this.token.kind !== kind) {
      this.fail(this.token);
    }
    return this.advance();
  }

  private fail(token: Token): never {
    if (token.kind === 'end') {
      throw new SyntaxFailure('Syntax error: unexpected end of the expression', token.start);
    }
    const text = this.text.slice(token.start, Math.max(token.end, token.start + 1));
    throw new SyntaxFailure(`Syntax error: unexpected \`${text}\``, token.start);
  }

  private nest(depth: number): void {
    if (depth > maximalDepth) {
      throw new SyntaxFailure(`expression recursion limit exceeded: ${maximalDepth}`, -1, 'limit');
    }
  }

  private grow(below: number): void {
    this.height = below + 1;
    if (this.height > maximalDepth) {
      throw new SyntaxFailure('max recursion depth exceeded', -1, 'limit');
    }
  }
}

// `.a.b {` with blanks between, from the first dot.
const structNameRest =
  /(?:\.(?:[ \t\r\n\f]|\/\/[^\n]*\n)*[A-Za-z_][A-Za-z0-9_]*(?:[ \t\r\n\f]|\/\/[^\n]*\n)*)+(?=\{)/y;

/** Macros by name, the last of a signature first. */
function macrosByName(macros: readonly Macro[]): ReadonlyMap<string, readonly Macro[]> {
  const byName = new Map<string, Macro[]>();
  for (const macro of macros) {
    const known = byName.get(macro.name);
    if (known === undefined) {
      byName.set(macro.name, [macro]);
    } else {
      known.unshift(macro);
    }
  }
  return byName;
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}
