import type { Expression } from './expression.ts';
import type { TokenKind } from './lexer.ts';
import { MemberParser } from './member-parser.ts';

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

/** Parses whole expressions: operators by how tightly they bind. */
export class ExpressionParser extends MemberParser {
  // How deep the rules of cel-go's grammar are nested at this place.
  private expressions = 0;
  private relationDepth = 0;
  private arithmeticDepth = 0;

  /** start: expression end */
  parse(): Expression {
    const expression = this.expression();
    this.expect('end');
    return expression;
  }

  /** expression: or ['?' or ':' expression] */
  protected override expression(): Expression {
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
}
