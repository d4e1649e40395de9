import { type ClassPart, setNode } from './code-point-set.ts';
import { takeEscaped } from './escape.ts';
import { RegexSource, type RegexSyntax } from './regex-source.ts';
import { type Assertion, type RegexNode, RegexSyntaxError } from './syntax.ts';
import { takeBracket, takeEscapedClass } from './take-class.ts';
import { heightOf, isRepeatValid, sizeOf } from './tree-limits.ts';

const mostRepetitions = 1000;
const mostHeight = 1000;
const mostInstructions = 3_355_443;

/**
 * Reads a regular expression as Go's `syntax.Parse` (regexp/syntax/parse.go), with the flags of Perl as `regexp.Compile`
 * does, or with none. Throws {@link RegexSyntaxError} with Go's text.
 */
export function parseRegex(text: string, syntax: RegexSyntax = 'Perl'): ParsedRegex {
  const parser = new RegexParser(text, syntax);
  const node = parser.parse();
  if (sizeOf(node) > mostInstructions) throw new RegexSyntaxError('expression too large', text);
  return { text, node, names: parser.names };
}

/** A pattern, its tree, and the name of each group, the whole match first; empty for one that has none. */
export interface ParsedRegex {
  readonly text: string;
  readonly node: RegexNode;
  readonly names: readonly string[];
}

interface Flags {
  readonly foldsCase: boolean;
  readonly isMultiline: boolean;
  readonly dotIsAll: boolean;
  readonly isLazy: boolean;
}

interface Level {
  readonly flags: Flags;
  /** The number of the group; `undefined` for one that captures nothing. */
  readonly group: number | undefined;
  readonly options: RegexNode[];
  items: RegexNode[];
}

class RegexParser {
  readonly names: string[] = [''];
  readonly #whole: string;
  readonly #source: RegexSource;
  #flags: Flags;
  readonly #levels: Level[] = [];
  #level: Level;

  constructor(text: string, syntax: RegexSyntax) {
    this.#whole = text;
    this.#source = new RegexSource(text, syntax);
    this.#flags = {
      foldsCase: false,
      isMultiline: syntax === 'POSIX',
      dotIsAll: false,
      isLazy: false,
    };
    this.#level = { flags: this.#flags, group: undefined, options: [], items: [] };
  }

  parse(): RegexNode {
    let lastRepeat = '';
    while (this.#source.rest !== '') {
      const before = this.#source.rest;
      lastRepeat = this.#step(lastRepeat) ? before : '';
    }
    if (this.#levels.length > 0) throw new RegexSyntaxError('missing closing )', this.#whole);
    return this.#close();
  }

  /** Reads one item; whether it was a repetition. */
  #step(lastRepeat: string): boolean {
    const { rest } = this.#source;
    switch (rest[0]) {
      case '(':
        this.#open();
        return false;
      case '|':
        this.#source.skip(1);
        this.#level.options.push(sequence(this.#level.items));
        this.#level.items = [];
        return false;
      case ')':
        this.#closeGroup();
        return false;
      case '^':
        return this.#assertion(1, this.#flags.isMultiline ? 'beginLine' : 'beginText');
      case '$':
        return this.#assertion(1, this.#flags.isMultiline ? 'endLine' : 'endText');
      case '.':
        this.#source.skip(1);
        return this.#set([this.#flags.dotIsAll ? anything : noLineEnd], { foldsCase: false });
      case '[':
        return this.#bracket();
      case '*':
      case '+':
      case '?':
        this.#repeat(
          rest[0] === '+' ? 1 : 0,
          rest[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
          1,
          lastRepeat,
          false,
        );
        return true;
      case '{':
        return this.#braces(lastRepeat);
      case '\\':
        this.#escape();
        return false;
      default:
        return this.#literal(this.#source.take());
    }
  }

  #literal(character: string): false {
    const code = character.codePointAt(0) ?? 0;
    return this.#set([{ members: [code, code], isNegated: false }]);
  }

  #set(
    parts: readonly ClassPart[],
    { isNegated = false, foldsCase = this.#flags.foldsCase } = {},
  ): false {
    this.#push(setNode(parts, { isNegated, foldsCase }));
    return false;
  }

  #assertion(length: number, assertion: Assertion): false {
    this.#source.skip(length);
    this.#push({ kind: 'assertion', assertion });
    return false;
  }

  #push(node: RegexNode): void {
    this.#level.items.push(node);
  }

  #open(): void {
    if (this.#source.isPerl && this.#source.rest[1] === '?') {
      this.#perlGroup();
    } else {
      this.#source.skip(1);
      this.#enter(this.names.push('') - 1, this.#flags);
    }
  }

  #enter(group: number | undefined, flags: Flags): void {
    this.#levels.push(this.#level);
    this.#level = { flags: this.#flags, group, options: [], items: [] };
    this.#flags = flags;
  }

  #closeGroup(): void {
    const outer = this.#levels.pop();
    if (outer === undefined) throw new RegexSyntaxError('unexpected )', this.#whole);
    const part = this.#close();
    this.#source.skip(1);
    this.#flags = this.#level.flags;
    const { group } = this.#level;
    this.#level = outer;
    const node: RegexNode = group === undefined ? part : { kind: 'group', part, number: group };
    this.#checkHeight(node);
    this.#push(node);
  }

  #close(): RegexNode {
    const { options, items } = this.#level;
    const last = sequence(items);
    return options.length === 0 ? last : { kind: 'choice', options: [...options, last] };
  }

  #checkHeight(node: RegexNode): void {
    // No tree is higher than its text is long.
    if (this.#whole.length > mostHeight && heightOf(node) > mostHeight) {
      throw new RegexSyntaxError('expression nests too deeply', this.#whole);
    }
  }

  #perlGroup(): void {
    const { rest: text } = this.#source;
    const isLong = text.length > 4 && text.startsWith('(?P<');
    if (isLong || (text.length > 3 && text.startsWith('(?<'))) {
      const end = text.indexOf('>');
      if (end < 0) throw new RegexSyntaxError('invalid named capture', text);
      const name = text.slice(isLong ? 4 : 3, end);
      if (!/^\w+$/.test(name)) {
        throw new RegexSyntaxError('invalid named capture', text.slice(0, end + 1));
      }
      this.#source.skip(end + 1);
      this.#enter(this.names.push(name) - 1, this.#flags);
      return;
    }
    this.#source.skip(2);
    let flags = { ...this.#flags };
    let isOn = true;
    let sawFlag = false;
    while (this.#source.rest !== '') {
      const character = this.#source.take();
      const flag = flagNames[character];
      if (flag !== undefined) {
        flags = { ...flags, [flag]: isOn };
        sawFlag = true;
      } else if (character === '-' && isOn) {
        isOn = false;
        sawFlag = false;
      } else if ((character === ':' || character === ')') && (isOn || sawFlag)) {
        if (character === ':') this.#enter(undefined, flags);
        else this.#flags = flags;
        return;
      } else {
        break;
      }
    }
    throw new RegexSyntaxError('invalid or unsupported Perl syntax', this.#source.takenSince(text));
  }

  #braces(lastRepeat: string): boolean {
    const [written, least = '', comma, most] =
      /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(this.#source.rest) ?? [];
    if (written === undefined) return this.#literal(this.#source.take());
    const from = Number(least);
    const to = most === undefined ? (comma ? Number.POSITIVE_INFINITY : from) : Number(most);
    if (from > mostRepetitions || (most !== undefined && to > mostRepetitions) || from > to) {
      throw new RegexSyntaxError('invalid repeat count', written);
    }
    this.#repeat(from, to, written.length, lastRepeat, true);
    return true;
  }

  #repeat(
    least: number,
    most: number,
    length: number,
    lastRepeat: string,
    isCounted: boolean,
  ): void {
    const before = this.#source.rest;
    this.#source.skip(length);
    const { isPerl } = this.#source;
    const isSwapped = isPerl && this.#source.rest.startsWith('?');
    if (isSwapped) this.#source.skip(1);
    if (isPerl && lastRepeat !== '') {
      const stacked = this.#source.takenSince(lastRepeat);
      throw new RegexSyntaxError('invalid nested repetition operator', stacked);
    }
    const written = this.#source.takenSince(before);
    const part = this.#level.items.pop();
    if (part === undefined) {
      throw new RegexSyntaxError('missing argument to repetition operator', written);
    }
    const isLazy = isSwapped !== this.#flags.isLazy;
    const node: RegexNode = { kind: 'repeat', part, least, most, isLazy, isCounted };
    this.#checkHeight(node);
    const isLarge = isCounted && (least >= 2 || (most >= 2 && most !== Number.POSITIVE_INFINITY));
    if (isLarge && !isRepeatValid(node, mostRepetitions)) {
      throw new RegexSyntaxError('invalid repeat count', written);
    }
    this.#push(node);
  }

  #escape(): void {
    if (this.#source.isPerl) this.#perlEscape();
    else this.#literal(takeEscaped(this.#source));
  }

  #perlEscape(): void {
    const { rest } = this.#source;
    const assertion = rest.length > 1 ? assertions[rest[1] ?? ''] : undefined;
    if (assertion !== undefined) {
      this.#assertion(2, assertion);
      return;
    }
    if (rest[1] === 'C') throw new RegexSyntaxError('invalid escape sequence', '\\C');
    if (rest[1] === 'Q') {
      const end = rest.indexOf('\\E', 2);
      for (const character of rest.slice(2, end < 0 ? undefined : end)) this.#literal(character);
      this.#source.rest = end < 0 ? '' : rest.slice(end + 2);
      return;
    }
    const group = takeEscapedClass(this.#source);
    if (group === undefined) this.#literal(takeEscaped(this.#source));
    else this.#set([group]);
  }

  #bracket(): false {
    const { parts, isNegated } = takeBracket(this.#source);
    return this.#set(parts, { isNegated });
  }
}

const flagNames: Readonly<Record<string, keyof Flags | undefined>> = {
  i: 'foldsCase',
  m: 'isMultiline',
  s: 'dotIsAll',
  U: 'isLazy',
};

const assertions: Readonly<Record<string, Assertion | undefined>> = {
  A: 'beginText',
  z: 'endText',
  b: 'wordBoundary',
  B: 'noWordBoundary',
};

const anything: ClassPart = { members: [], isNegated: true };
const noLineEnd: ClassPart = { members: [0x0a, 0x0a], isNegated: true };

function sequence(items: readonly RegexNode[]): RegexNode {
  const [only] = items;
  if (only === undefined) return { kind: 'empty' };
  return items.length === 1 ? only : { kind: 'sequence', parts: items };
}
