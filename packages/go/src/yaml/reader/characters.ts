import { decodeUtf8Leniently } from '../../text/utf8.ts';
import { findBadUtf8 } from './bad-utf8.ts';

/** Ends the reading of a text that yaml.v2 refuses. Never leaves this folder. */
export class BrokenYaml extends Error {
  readonly problem: string;
  /** The line that yaml.v2 names; 0 where it names none. */
  readonly line: number;
  /** The position, as an index of UTF-16 code units. */
  readonly offset: number;

  constructor(
    problem: string,
    { line = 0, offset = 0 }: Partial<Pick<Mark, 'line' | 'offset'>> = {},
  ) {
    super(problem);
    this.problem = problem;
    this.line = line;
    this.offset = offset;
  }
}

/** A text of YAML, or its bytes, which may be no UTF-8. */
export type YamlSource = string | Uint8Array;

/** A character that keeps a text from being read. */
interface Unreadable {
  readonly problem: string;
  /** An index of UTF-16 code units. */
  readonly offset: number;
}

/** Characters by their codes. */
export const codes = {
  end: 0,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  nextLine: 0x85,
  lineSeparator: 0x2028,
  paragraphSeparator: 0x2029,
} as const;

// A lone surrogate counts as U+FFFD.
const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u;

/** How many bytes are read at once. */
const chunkSize = 512;

/** A place in a text as yaml.v2 counts it: lines and columns from 0, in characters. */
export interface Mark {
  /** An index of UTF-16 code units. */
  readonly offset: number;
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** A text that is read from its beginning to its end (yaml.v2's reader). */
export class Characters implements Mark {
  readonly #text: string;
  /** The first character that is not allowed. */
  readonly #unreadable: Unreadable | undefined;
  /** The start of the chunk that contains the unreadable character. */
  readonly #readable: number;
  offset = 0;
  index = 0;
  line = 0;
  column = 0;

  constructor(source: YamlSource) {
    const text = typeof source === 'string' ? source : decodeUtf8Leniently(source);
    const found = findUnreadable(source, text);
    this.#text = text;
    this.#unreadable = found;
    this.#readable = found === undefined ? Infinity : startOfChunk(text, found.offset);
    if (text.startsWith('\ufeff')) this.offset = 1;
  }

  /** The place that is reached. */
  get mark(): Mark {
    const { offset, index, line, column } = this;
    return { offset, index, line, column };
  }

  /** Throws if one of the next characters is in a chunk that cannot be read. */
  require(count: number): void {
    if (this.#unreadable === undefined || this.offset + count <= this.#readable) return;
    throw new BrokenYaml(this.#unreadable.problem, this.#unreadable);
  }

  /** The code of the character here, or of one after it where all before that one are ASCII; 0 at the end. */
  code(ahead = 0): number {
    if (this.offset + ahead >= this.#readable) this.require(ahead + 1);
    const code = this.#text.charCodeAt(this.offset + ahead);
    return Number.isNaN(code) ? codes.end : code;
  }

  /** Whether the character here, or one after it, is the given one. */
  is(character: string, ahead = 0): boolean {
    return this.code(ahead) === character.charCodeAt(0);
  }

  /** Returns the text that was read since an offset. */
  since(offset: number): string {
    return this.#text.slice(offset, this.offset);
  }

  /** Advances over characters that are not line breaks. */
  skip(count = 1): void {
    for (let left = count; left > 0; left--) {
      const code = this.#text.charCodeAt(this.offset);
      this.offset += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      this.index++;
      this.column++;
    }
  }

  /** Advances over one character that is not a line break, and returns it. */
  take(): string {
    const { offset } = this;
    this.skip();
    return this.since(offset);
  }

  /** Skips a line break, and returns its value in a scalar. */
  skipBreak(): string {
    const code = this.code();
    const length = code === codes.carriageReturn && this.code(1) === codes.lineFeed ? 2 : 1;
    this.offset += length;
    this.index += length;
    this.column = 0;
    this.line++;
    return code >= codes.lineSeparator ? String.fromCharCode(code) : '\n';
  }

  /** Advances to the first character that is neither a space nor a tab. */
  skipBlanks(): void {
    while (isBlank(this.code())) this.skip();
  }

  /** Advances to the end of the line if a comment begins here. */
  skipComment(): void {
    if (this.is('#')) while (!isBreakOrEnd(this.code())) this.skip();
  }

  /** Ends the line at the end of the text, where no break does. */
  endLine(): void {
    if (this.column === 0) return;
    this.column = 0;
    this.line++;
  }

  /** Creates the scanner's error at this position; it names the line unless that is the first one. */
  broken(problem: string): BrokenYaml {
    const { line, offset } = this;
    return new BrokenYaml(problem, { line: line === 0 ? 0 : line + 1, offset });
  }

  /** Whether a line begins here with the sign of a document's start or end. */
  isDocumentMark(sign: '-' | '.'): boolean {
    if (this.column !== 0 || !this.is(sign)) return false;
    return this.is(sign, 1) && this.is(sign, 2) && isSpaceOrEnd(this.code(3));
  }
}

function findUnreadable(source: YamlSource, text: string): Unreadable | undefined {
  const offset = forbidden.exec(text)?.index;
  const bad =
    typeof source !== 'string' && text.includes('\ufffd') ? findBadUtf8(source) : undefined;
  if (typeof source !== 'string' && bad !== undefined) {
    const before = decodeUtf8Leniently(source.subarray(0, bad.at)).length;
    if (offset === undefined || before < offset) return { problem: bad.problem, offset: before };
  }
  return offset === undefined
    ? undefined
    : { problem: 'control characters are not allowed', offset };
}

function startOfChunk(text: string, offset: number): number {
  let start = 0;
  let size = 0;
  for (let at = 0; at <= offset; ) {
    const code = text.codePointAt(at) ?? 0;
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size + width > chunkSize) {
      start = at;
      size = 0;
    }
    size += width;
    at += width === 4 ? 2 : 1;
  }
  return start;
}

/** Whether it is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === codes.space || code === codes.tab;
}

/** Whether it breaks a line. */
export function isBreak(code: number): boolean {
  return (
    code === codes.lineFeed ||
    code === codes.carriageReturn ||
    code === codes.nextLine ||
    code === codes.lineSeparator ||
    code === codes.paragraphSeparator
  );
}

/** Whether it breaks a line or is the end of the text. */
export function isBreakOrEnd(code: number): boolean {
  return code === codes.end || isBreak(code);
}

/** Whether it is a space, a tab, the break of a line or the end of the text. */
export function isSpaceOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** Whether it may stand in the name of an anchor, a directive or the handle of a tag. */
export function isNameCharacter(code: number): boolean {
  return code < 0x80 && /[\w-]/.test(String.fromCharCode(code));
}

/** Whether it is a decimal digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
