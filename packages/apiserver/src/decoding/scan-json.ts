import { quote } from '@kubeadmit/go';

/** What a scan of a JSON text finds. */
export interface JsonScan {
  /** The syntax error as Go's encoding/json words it; absent where the text is one JSON value. */
  readonly error?: string;
  /** The paths of members that an object has twice, such as `spec.rules[0].name`. */
  readonly duplicates: readonly string[];
}

/** Scans a JSON text for what `JSON.parse` does not tell: Go's error, and repeated members. */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { duplicates: scanner.duplicates };
  } catch (error) {
    if (error instanceof SyntaxProblem) {
      return { error: error.message, duplicates: scanner.duplicates };
    }
    throw error;
  }
}

class SyntaxProblem extends Error {}

const deepest = 10_000;

class Scanner {
  readonly duplicates: string[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    this.value('', 0);
    this.space();
    if (this.at < this.text.length) throw this.unexpected('after top-level value');
  }

  private value(path: string, depth: number): void {
    if (depth > deepest) throw new SyntaxProblem('exceeded max depth');
    this.space();
    const character = this.text[this.at];
    if (character === '{') this.object(path, depth);
    else if (character === '[') this.array(path, depth);
    else if (character === '"') this.string();
    else if (character === '-' || isDigit(character)) this.number();
    else if (character === 't') this.literal('true');
    else if (character === 'f') this.literal('false');
    else if (character === 'n') this.literal('null');
    else throw this.unexpected('looking for beginning of value');
  }

  private object(path: string, depth: number): void {
    this.at++;
    this.space();
    if (this.text[this.at] === '}') {
      this.at++;
      return;
    }
    const keys = new Set<string>();
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') {
        throw this.unexpected('looking for beginning of object key string');
      }
      const key = this.string();
      const own = path === '' ? key : `${path}.${key}`;
      if (keys.has(key)) this.duplicates.push(own);
      keys.add(key);
      this.space();
      if (this.text[this.at] !== ':') throw this.unexpected('after object key');
      this.at++;
      this.value(own, depth + 1);
      this.space();
      const next = this.text[this.at];
      if (next !== ',' && next !== '}') throw this.unexpected('after object key:value pair');
      this.at++;
      if (next === '}') return;
    }
  }

  private array(path: string, depth: number): void {
    this.at++;
    this.space();
    if (this.text[this.at] === ']') {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.value(`${path}[${index}]`, depth + 1);
      this.space();
      const next = this.text[this.at];
      if (next !== ',' && next !== ']') throw this.unexpected('after array element');
      this.at++;
      if (next === ']') return;
    }
  }

  private string(): string {
    const start = this.at++;
    let hasEscapes = false;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code) || code < 0x20) throw this.unexpected('in string literal');
      if (code === 0x22) break;
      if (code === 0x5c) {
        hasEscapes = true;
        this.escape();
      } else this.at++;
    }
    const raw = this.text.slice(start, ++this.at);
    return hasEscapes ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  private escape(): void {
    this.at++;
    const character = this.text[this.at] ?? '';
    if (character === 'u') {
      for (let i = 0; i < 4; i++) {
        this.at++;
        if (!/^[0-9a-fA-F]$/.test(this.text[this.at] ?? '')) {
          throw this.unexpected('in \\u hexadecimal character escape');
        }
      }
    } else if (character === '' || !'"\\/bfnrt'.includes(character)) {
      throw this.unexpected('in string escape code');
    }
    this.at++;
  }

  private number(): void {
    if (this.text[this.at] === '-') {
      this.at++;
      if (!isDigit(this.text[this.at])) throw this.unexpected('in numeric literal');
    }
    if (this.text[this.at] === '0') this.at++;
    else this.digits();
    if (this.text[this.at] === '.') {
      this.at++;
      if (!isDigit(this.text[this.at])) {
        throw this.unexpected('after decimal point in numeric literal');
      }
      this.digits();
    }
    const mark = this.text[this.at];
    if (mark !== 'e' && mark !== 'E') return;
    this.at++;
    const sign = this.text[this.at];
    if (sign === '+' || sign === '-') this.at++;
    if (!isDigit(this.text[this.at])) throw this.unexpected('in exponent of numeric literal');
    this.digits();
  }

  private digits(): void {
    while (isDigit(this.text[this.at])) this.at++;
  }

  private literal(word: string): void {
    for (const [i, expected] of [...word].entries()) {
      if (this.text[this.at] !== expected) {
        throw this.unexpected(
          i === 0
            ? 'looking for beginning of value'
            : `in literal ${word} (expecting '${expected}')`,
        );
      }
      this.at++;
    }
  }

  private space(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  // encoding/json scanner.error; Go looks at bytes, of which a character that is no ASCII has several.
  private unexpected(context: string): SyntaxProblem {
    if (this.at >= this.text.length) return new SyntaxProblem('unexpected end of JSON input');
    const [firstByte = 0] = new TextEncoder().encode(
      String.fromCodePoint(this.text.codePointAt(this.at) ?? 0),
    );
    return new SyntaxProblem(`invalid character ${quoteByte(firstByte)} ${context}`);
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
