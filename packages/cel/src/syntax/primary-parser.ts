import { CallParser } from './call-parser.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import { SyntaxFailure } from './token-reader.ts';

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

// `.a.b {` with blanks between, from the first dot.
const structNameRest =
  /(?:\.(?:[ \t\r\n\f]|\/\/[^\n]*\n)*[A-Za-z_][A-Za-z0-9_]*(?:[ \t\r\n\f]|\/\/[^\n]*\n)*)+(?=\{)/y;

/** Parses what stands for itself: names, calls of functions, lists, maps, object literals. */
export abstract class PrimaryParser extends CallParser {
  /** primary: ['.'] name ['(' arguments ')' | {'.' name} '{' fields '}'] | '(' expression ')' | list | map | literal */
  protected primary(): Expression {
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
}
