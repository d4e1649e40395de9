import type { Value } from '../values/value.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import type { Token, TokenKind } from './lexer.ts';
import { readLiteral, readSignedNumber } from './literal-token.ts';
import type { Macro } from './macro.ts';
import { limitNesting, NodeBuilder } from './node-builder.ts';
import { reservedIdentifiers } from './reserved-words.ts';
import { SyntaxFailure, TokenReader } from './token-reader.ts';

/** The options of {@link parse}. */
export interface ParseOptions {
  /** The macros that are expanded; none unless said otherwise. */
  readonly macros?: readonly Macro[];
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are understood; true unless said otherwise. */
  readonly optionalSyntax?: boolean;
  /** Whether names in backticks are understood after a dot; true unless said otherwise. */
  readonly escapedIdentifiers?: boolean;
}

const relations: ReadonlyMap<TokenKind, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);

const arithmetic: ReadonlyMap<TokenKind, { readonly name: string; readonly level: number }> =
  new Map([
    ['+', { name: '_+_', level: 1 }],
    ['-', { name: '_-_', level: 1 }],
    ['*', { name: '_*_', level: 2 }],
    ['/', { name: '_/_', level: 2 }],
    ['%', { name: '_%_', level: 2 }],
  ]);

// `.a.b {` with blanks between, from the first dot.
const structNameRest =
  /(?:\.(?:[ \t\r\n\f]|\/\/[^\n]*\n)*[A-Za-z_][A-Za-z0-9_]*(?:[ \t\r\n\f]|\/\/[^\n]*\n)*)+(?=\{)/y;

interface FieldName {
  readonly text: string;
  readonly position: number;
  readonly escaped: boolean;
}

/** Parses one expression by precedence climbing, into the tree that cel-go makes of it. */
export class ExpressionParser {
  readonly #tokens: TokenReader;
  readonly #nodes: NodeBuilder;
  readonly #optionalSyntax: boolean;
  readonly #escapedIdentifiers: boolean;
  readonly #hasBraces: boolean;
  // How deep the rules of cel-go's grammar are nested at this place.
  #expressionDepth = 0;
  #relationDepth = 0;
  #arithmeticDepth = 0;

  constructor(text: string, options: ParseOptions) {
    this.#tokens = new TokenReader(text);
    this.#nodes = new NodeBuilder(options.macros ?? []);
    this.#optionalSyntax = options.optionalSyntax ?? true;
    this.#escapedIdentifiers = options.escapedIdentifiers ?? true;
    this.#hasBraces = text.includes('{');
  }

  /**
   * start: expression end
   *
   * @throws SyntaxFailure at the first place that does not fit.
   */
  parse(): Expression {
    const expression = this.#expression();
    this.#tokens.expect('end');
    return expression;
  }

  /** expression: or ['?' or ':' expression] */
  #expression(): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    limitNesting(++this.#expressionDepth);
    const condition = this.#or();
    if (!tokens.at('?')) {
      this.#expressionDepth--;
      return condition;
    }
    let { height } = nodes;
    const position = tokens.advance().start;
    const id = nodes.nextId();
    const whenTrue = this.#or();
    height = Math.max(height, nodes.height);
    tokens.expect(':');
    const whenFalse = this.#expression();
    nodes.grow(Math.max(height, nodes.height));
    this.#expressionDepth--;
    return nodes.call(id, position, '_?_:_', undefined, [condition, whenTrue, whenFalse]);
  }

  /** or: and {'||' and} */
  #or(): Expression {
    const first = this.#and();
    return this.#tokens.at('||') ? this.#logic('||', first) : first;
  }

  /** and: relation {'&&' relation} */
  #and(): Expression {
    const first = this.#relation();
    return this.#tokens.at('&&') ? this.#logic('&&', first) : first;
  }

  /** Any number of terms, as a balanced tree. */
  #logic(operator: '||' | '&&', first: Expression): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const terms = [first];
    const operators: { readonly id: number; readonly position: number }[] = [];
    let { height } = nodes;
    while (tokens.at(operator)) {
      const position = tokens.advance().start;
      terms.push(operator === '||' ? this.#and() : this.#relation());
      height = Math.max(height, nodes.height);
      operators.push({ id: nodes.nextId(), position });
    }
    nodes.height = height;
    const balance = (low: number, high: number): Expression => {
      const middle = (low + high + 1) >> 1;
      const { id, position } = operators[middle] ?? { id: 0, position: 0 };
      const left = middle === low ? terms[middle] : balance(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : balance(middle + 1, high);
      return {
        kind: 'call',
        id,
        position,
        function: operator === '||' ? '_||_' : '_&&_',
        target: undefined,
        arguments: [left ?? first, right ?? first],
      };
    };
    return balance(0, operators.length - 1);
  }

  /** relation: sum {('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') sum} */
  #relation(): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    limitNesting(++this.#relationDepth);
    let left = this.#arithmetic(1);
    for (;;) {
      const name = relations.get(tokens.token.kind);
      if (name === undefined) {
        this.#relationDepth--;
        return left;
      }
      const { height } = nodes;
      const position = tokens.advance().start;
      const id = nodes.nextId();
      limitNesting(++this.#relationDepth);
      const right = this.#arithmetic(1);
      this.#relationDepth--;
      nodes.grow(Math.max(height, nodes.height));
      left = nodes.call(id, position, name, undefined, [left, right]);
    }
  }

  /** sum: product {('+' | '-') product}; product: unary {('*' | '/' | '%') unary} */
  #arithmetic(minimalLevel: number): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    limitNesting(++this.#arithmeticDepth);
    let left = this.#unary();
    for (;;) {
      const operator = arithmetic.get(tokens.token.kind);
      if (operator === undefined || operator.level < minimalLevel) {
        this.#arithmeticDepth--;
        return left;
      }
      const { height } = nodes;
      const position = tokens.advance().start;
      const id = nodes.nextId();
      const right = this.#arithmetic(operator.level + 1);
      nodes.grow(Math.max(height, nodes.height));
      left = nodes.call(id, position, operator.name, undefined, [left, right]);
    }
  }

  /** unary: member | '!' {'!'} member | '-' {'-'} member */
  #unary(): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const { kind: operator, start: position } = tokens.token;
    if (operator !== '!' && operator !== '-') return this.#member();
    let count = 0;
    while (tokens.at(operator)) {
      count++;
      tokens.advance();
    }
    const isNumber = tokens.at('int') || tokens.at('double');
    if (operator === '-' && count === 1 && isNumber) return this.#member(position);
    if (count % 2 === 0) return this.#member();
    const id = nodes.nextId();
    const operand = this.#member();
    return nodes.call(id, position, operator === '!' ? '!_' : '-_', undefined, [operand]);
  }

  /** member: primary {'.' ['?'] name | '.' name '(' arguments ')' | '[' ['?'] expression ']'} */
  #member(sign?: number): Expression {
    let operand = sign === undefined ? this.#primary() : this.#signedNumber(sign);
    for (;;) {
      if (this.#tokens.at('.')) operand = this.#select(operand);
      else if (this.#tokens.at('[')) operand = this.#index(operand);
      else return operand;
    }
  }

  #select(operand: Expression): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const { height } = nodes;
    const position = tokens.advance().start;
    const optional = this.#optionalMark();
    const name = this.#fieldName();
    if (tokens.at('(') && !optional && !name.escaped) {
      const open = tokens.advance().start;
      const id = nodes.nextId();
      const values = this.#arguments();
      nodes.grow(Math.max(height, nodes.height));
      return nodes.call(id, open, name.text, operand, values);
    }
    nodes.grow(height);
    const id = nodes.nextId();
    if (!optional) return { kind: 'select', id, position, operand, field: name.text, test: false };
    const field = this.#literal(name.position, name.text);
    return nodes.call(id, position, '_?._', undefined, [operand, field]);
  }

  #index(operand: Expression): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const { height } = nodes;
    const position = tokens.advance().start;
    const id = nodes.nextId();
    const optional = this.#optionalMark();
    const index = this.#expression();
    tokens.expect(']');
    nodes.grow(Math.max(height, nodes.height));
    return nodes.call(id, position, optional ? '_[?_]' : '_[_]', undefined, [operand, index]);
  }

  /** primary: ['.'] name ['(' arguments ')' | {'.' name} '{' fields '}'] | '(' expression ')' | list | map | literal */
  #primary(): Expression {
    const tokens = this.#tokens;
    const { kind, start } = tokens.token;
    this.#nodes.height = 0;
    switch (kind) {
      case '(': {
        tokens.advance();
        const inner = this.#expression();
        tokens.expect(')');
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '-':
        tokens.advance();
        return this.#signedNumber(start);
      case '.':
      case 'identifier':
        return this.#named();
      default:
        return this.#literal(start, readLiteral(tokens));
    }
  }

  #signedNumber(position: number): Expression {
    this.#nodes.height = 0;
    return this.#literal(position, readSignedNumber(this.#tokens, position));
  }

  #literal(position: number, value: Value): Expression {
    return { kind: 'literal', id: this.#nodes.nextId(), position, value };
  }

  #named(): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const { start } = tokens.token;
    const rooted = tokens.at('.');
    if (rooted) tokens.advance();
    const word = tokens.expect('identifier');
    const name = tokens.textOf(word);
    const struct = this.#structName(name);
    if (struct !== undefined) return this.#struct(rooted ? `.${struct}` : struct);
    if (reservedIdentifiers.has(name))
      throw new SyntaxFailure(`reserved identifier: ${name}`, start);
    const full = rooted ? `.${name}` : name;
    if (tokens.at('(')) {
      const position = tokens.advance().start;
      const id = nodes.nextId();
      return nodes.call(id, position, full, undefined, this.#arguments());
    }
    return { kind: 'identifier', id: nodes.nextId(), position: word.start, name: full };
  }

  /** arguments: [expression {',' expression}] ')' */
  #arguments(): Expression[] {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const values: Expression[] = [];
    let height = 0;
    if (!tokens.at(')')) {
      values.push(this.#expression());
      height = nodes.height;
      while (tokens.at(',')) {
        tokens.advance();
        values.push(this.#expression());
        height = Math.max(height, nodes.height);
      }
    }
    tokens.expect(')');
    nodes.height = height;
    return values;
  }

  /**
   * The dotted name of a struct literal; `undefined`, with nothing read, where `{` does not follow
   * a dotted name.
   */
  #structName(first: string): string | undefined {
    const tokens = this.#tokens;
    if (tokens.at('{')) return first;
    if (!this.#hasBraces || !tokens.at('.')) return undefined;
    structNameRest.lastIndex = tokens.token.start;
    if (!structNameRest.test(tokens.text)) return undefined;
    let name = first;
    while (tokens.at('.')) {
      tokens.advance();
      name += `.${tokens.textOf(tokens.expect('identifier'))}`;
    }
    return name;
  }

  /** fields: '{' [['?'] name ':' expression {',' …} [',']] '}' */
  #struct(name: string): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const open = tokens.token;
    const id = nodes.nextId();
    const fields: StructField[] = [];
    this.#entries(open, '}', (optional) => {
      const field = this.#fieldName();
      const position = tokens.expect(':').start;
      const fieldId = nodes.nextId();
      const value = this.#expression();
      fields.push({ id: fieldId, position, name: field.text, value, optional });
    });
    return { kind: 'struct', id, position: open.start, name, fields };
  }

  /** list: '[' [['?'] expression {',' …} [',']] ']' */
  #list(): Expression {
    const open = this.#tokens.token;
    const id = this.#nodes.nextId();
    const elements: Expression[] = [];
    const optional: number[] = [];
    this.#entries(open, ']', (isOptional) => {
      if (isOptional) optional.push(elements.length);
      elements.push(this.#expression());
    });
    return { kind: 'list', id, position: open.start, elements, optional };
  }

  /** map: '{' [['?'] expression ':' expression {',' …} [',']] '}' */
  #map(): Expression {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    const open = tokens.token;
    const id = nodes.nextId();
    const entries: MapEntry[] = [];
    this.#entries(open, '}', (optional) => {
      const key = this.#expression();
      const { height } = nodes;
      const position = tokens.expect(':').start;
      const entryId = nodes.nextId();
      const value = this.#expression();
      nodes.height = Math.max(height, nodes.height);
      entries.push({ id: entryId, position, key, value, optional });
    });
    return { kind: 'map', id, position: open.start, entries };
  }

  /** Parses the entries in brackets; `[,]`, `{,}` and `Type{,}` are empty literals in cel-go's grammar. */
  #entries(open: Token, end: ']' | '}', read: (optional: boolean) => void): void {
    const tokens = this.#tokens;
    const nodes = this.#nodes;
    tokens.expect(open.kind);
    let height = 0;
    if (tokens.at(',')) {
      const comma = tokens.advance();
      if (!tokens.at(end)) tokens.fail(comma);
    }
    while (!tokens.at(end)) {
      read(this.#optionalMark());
      height = Math.max(height, nodes.height);
      if (!tokens.at(end)) tokens.expect(',');
    }
    tokens.advance();
    nodes.height = height;
  }

  /** A question mark, if there is one. */
  #optionalMark(): boolean {
    if (!this.#tokens.at('?')) return false;
    const { start } = this.#tokens.advance();
    if (!this.#optionalSyntax) throw new SyntaxFailure("unsupported syntax '?'", start);
    return true;
  }

  /** name: identifier | escaped identifier */
  #fieldName(): FieldName {
    const tokens = this.#tokens;
    const { kind, start, end } = tokens.token;
    if (kind !== 'escaped identifier') {
      return { text: tokens.textOf(tokens.expect('identifier')), position: start, escaped: false };
    }
    if (!this.#escapedIdentifiers) throw new SyntaxFailure("unsupported syntax: '`'", start);
    tokens.advance();
    return { text: tokens.text.slice(start + 1, end - 1), position: start, escaped: true };
  }
}
