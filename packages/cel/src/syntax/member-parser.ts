import type { Expression } from './expression.ts';
import { PrimaryParser } from './primary-parser.ts';

/** Parses selections, calls of member functions and indexes. */
export abstract class MemberParser extends PrimaryParser {
  /** member: primary {'.' ['?'] name | '.' name '(' arguments ')' | '[' ['?'] expression ']'} */
  protected member(sign?: number): Expression {
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
}
