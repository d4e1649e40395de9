import { quote, readJson } from '@kubeadmit/go';
import type { Node, NodeKind } from './node.ts';
import { JmesPathSyntaxError, syntaxError } from './syntax-error.ts';
import { bindingPowers, type Token, type TokenKind } from './token.ts';
import { tokenize } from './tokenize.ts';

/** How many expressions may enclose one another; a chain such as `a.b.c` counts each of its parts. */
const depthLimit = 1000;

const identity: Node = { kind: 'identity', children: [] };
const empty: Node = { kind: 'empty', children: [] };

/**
 * The tree of a JMESPath expression, with go-jmespath's grammar and its texts of syntax errors.
 *
 * Throws `JmesPathSyntaxError`.
 */
export function parse(expression: string): Node {
  return new Parser(tokenize(expression)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Node {
    const node = this.#expression(0);
    if (this.#current !== 'tEOF') {
      throw syntaxError(`Unexpected token at the end of the expression: ${this.#current}`);
    }
    return node;
  }

  #token(ahead: number): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'tEOF', text: '' };
  }

  get #current(): TokenKind {
    return this.#token(0).kind;
  }

  #match(kind: TokenKind): void {
    if (this.#current !== kind) throw syntaxError(`Expected ${kind}, received: ${this.#current}`);
    this.#at++;
  }

  /** expression = prefix { suffix binding more strongly than `power` } */
  #expression(power: number): Node {
    const depth = this.#depth;
    this.#deepen();
    const first = this.#token(0);
    this.#at++;
    let left = this.#prefix(first);
    for (let kind = this.#current; power < powerOf(kind); kind = this.#current) {
      this.#deepen();
      this.#at++;
      left = this.#suffix(kind, left);
    }
    this.#depth = depth;
    return left;
  }

  #deepen(): void {
    if (++this.#depth > depthLimit) throw syntaxError('the expression is nested too deeply');
  }

  /** prefix = literal | identifier | "*" … | "[?" … | "[]" … | "[" … | "{" … | "@" | "&" … | "!" … | "(" … ")" */
  #prefix(token: Token): Node {
    switch (token.kind) {
      case 'tJSONLiteral':
        return jsonLiteral(token.text);
      case 'tStringLiteral':
        return { kind: 'literal', value: token.text, children: [] };
      case 'tUnquotedIdentifier':
        return { kind: 'field', value: token.text, children: [] };
      case 'tQuotedIdentifier':
        if (this.#current === 'tLparen') {
          throw syntaxError("Can't have quoted identifier as function Name.");
        }
        return { kind: 'field', value: token.text, children: [] };
      case 'tStar': {
        const right = this.#current === 'tRbracket' ? identity : this.#projected('tStar');
        return node('values', identity, right);
      }
      case 'tFilter':
        return this.#filter(identity);
      case 'tLbrace':
        return this.#hash();
      case 'tFlatten':
        return node('projection', node('flatten', identity), this.#projected('tFlatten'));
      case 'tLbracket':
        return this.#bracketPrefix();
      case 'tCurrent':
        return { kind: 'current', children: [] };
      case 'tExpref':
        return node('reference', this.#expression(powerOf('tExpref')));
      case 'tNot':
        return node('not', this.#expression(powerOf('tNot')));
      case 'tLparen': {
        const inner = this.#expression(0);
        this.#match('tRparen');
        return inner;
      }
      case 'tEOF':
        throw syntaxError('Incomplete expression');
      default:
        throw syntaxError(`Invalid token: ${token.kind}`);
    }
  }

  /** "[" number "]" | "[" slice "]" | "[" "*" "]" | "[" expression { "," expression } "]" */
  #bracketPrefix(): Node {
    if (this.#current === 'tNumber' || this.#current === 'tColon') {
      let index: Node;
      try {
        index = this.#index();
      } catch (problem) {
        if (problem instanceof JmesPathSyntaxError) return empty;
        throw problem;
      }
      return this.#indexed(identity, index);
    }
    if (this.#current === 'tStar' && this.#token(1).kind === 'tRbracket') {
      this.#at += 2;
      return node('projection', identity, this.#projected('tStar'));
    }
    return this.#list();
  }

  /** suffix = "." … | "|" … | "||" … | "&&" … | "(" … ")" | "[?" … | "[]" … | comparator … | "[" … */
  #suffix(kind: TokenKind, left: Node): Node {
    switch (kind) {
      case 'tDot':
        if (this.#current !== 'tStar') return node('subexpression', left, this.#afterDot('tDot'));
        this.#at++;
        return node('values', left, this.#projected('tDot'));
      case 'tPipe':
        return node('pipe', left, this.#expression(powerOf(kind)));
      case 'tOr':
        return node('or', left, this.#expression(powerOf(kind)));
      case 'tAnd':
        return node('and', left, this.#expression(powerOf(kind)));
      case 'tLparen':
        return this.#call(left);
      case 'tFilter':
        return this.#filter(left);
      case 'tFlatten':
        return node('projection', node('flatten', left), this.#projected(kind));
      case 'tEQ':
      case 'tNE':
      case 'tGT':
      case 'tGTE':
      case 'tLT':
      case 'tLTE':
        return {
          kind: 'comparator',
          value: kind,
          children: [left, this.#expression(powerOf(kind))],
        };
      case 'tLbracket':
        if (this.#current === 'tNumber' || this.#current === 'tColon') {
          return this.#indexed(left, this.#index());
        }
        this.#match('tStar');
        this.#match('tRbracket');
        return node('projection', left, this.#projected('tStar'));
      default:
        throw syntaxError(`Unexpected token: ${kind}`);
    }
  }

  /** The arguments of a call; commas between them may be missing. */
  #call(callee: Node): Node {
    const children: Node[] = [];
    while (this.#current !== 'tRparen') {
      children.push(this.#expression(0));
      if (this.#current === 'tComma') this.#at++;
    }
    this.#at++;
    return { kind: 'call', value: callee.value, children };
  }

  #index(): Node {
    if (this.#current === 'tColon' || this.#token(1).kind === 'tColon') return this.#slice();
    const value = toInteger(this.#token(0).text);
    this.#at++;
    this.#match('tRbracket');
    return { kind: 'index', value, children: [] };
  }

  /** slice = [ number ] ":" [ number ] [ ":" [ number ] ] */
  #slice(): Node {
    const value: [number?, number?, number?] = [];
    let part = 0;
    while (this.#current !== 'tRbracket' && part < 3) {
      if (this.#current === 'tColon') {
        part++;
      } else if (this.#current === 'tNumber') {
        value[part] = toInteger(this.#token(0).text);
      } else {
        throw syntaxError(`Expected tColon or tNumber, received: ${this.#current}`);
      }
      this.#at++;
    }
    this.#match('tRbracket');
    return { kind: 'slice', value, children: [] };
  }

  #indexed(left: Node, index: Node): Node {
    const indexed = node('indexed', left, index);
    return index.kind === 'slice' ? node('projection', indexed, this.#projected('tStar')) : indexed;
  }

  #filter(left: Node): Node {
    const condition = this.#expression(0);
    this.#match('tRbracket');
    const right = this.#current === 'tFlatten' ? identity : this.#projected('tFilter');
    return node('filter', left, right, condition);
  }

  #list(): Node {
    const children: Node[] = [];
    for (;;) {
      children.push(this.#expression(0));
      if (this.#current === 'tRbracket') break;
      this.#match('tComma');
    }
    this.#at++;
    return { kind: 'list', children };
  }

  /** "{" key ":" expression { [ "," ] key ":" expression } "}" */
  #hash(): Node {
    const children: Node[] = [];
    for (;;) {
      const key = this.#token(0);
      if (key.kind !== 'tUnquotedIdentifier' && key.kind !== 'tQuotedIdentifier') {
        throw syntaxError('Expected tQuotedIdentifier or tUnquotedIdentifier');
      }
      this.#at++;
      this.#match('tColon');
      children.push({ kind: 'pair', value: key.text, children: [this.#expression(0)] });
      if (this.#current === 'tComma') {
        this.#at++;
      } else if (this.#current === 'tRbrace') {
        this.#at++;
        return { kind: 'hash', children };
      }
    }
  }

  #afterDot(power: TokenKind): Node {
    switch (this.#current) {
      case 'tQuotedIdentifier':
      case 'tUnquotedIdentifier':
      case 'tStar':
        return this.#expression(powerOf(power));
      case 'tLbracket':
        this.#at++;
        return this.#list();
      case 'tLbrace':
        this.#at++;
        return this.#hash();
      default:
        throw syntaxError('Expected identifier, lbracket, or lbrace');
    }
  }

  /** Parses the expression that a projection applies to each element. */
  #projected(power: TokenKind): Node {
    const current = this.#current;
    if (powerOf(current) < 10) return identity;
    if (current === 'tLbracket' || current === 'tFilter') return this.#expression(powerOf(power));
    if (current !== 'tDot') throw syntaxError('Error');
    this.#at++;
    return this.#afterDot(power);
  }
}

function node(kind: NodeKind, ...children: Node[]): Node {
  return { kind, children };
}

function powerOf(kind: TokenKind): number {
  return bindingPowers[kind] ?? 0;
}

function jsonLiteral(text: string): Node {
  const reading = readJson(text);
  if ('error' in reading) throw new JmesPathSyntaxError(reading.error);
  return { kind: 'literal', value: reading.value, children: [] };
}

function toInteger(text: string): number {
  const value = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined) {
    throw new JmesPathSyntaxError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  }
  if (value !== BigInt.asIntN(64, value)) {
    throw new JmesPathSyntaxError(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
  }
  return Number(value);
}
