import { getOrMake } from '../get-or-make.ts';
import { type ClassPart, setNode } from './code-point-set.ts';
import { type Assertion, type RegexNode, RegexSyntaxError } from './syntax.ts';
import { perlClass, posixClass, unicodeClass } from './unicode-class.ts';

const mostRepetitions = 1000;
const mostHeight = 1000;
const mostInstructions = 3_355_443;

/**
 * Reads a regular expression as Go's `syntax.Parse` with the flags of Perl (regexp/syntax/parse.go). Throws
 * {@link RegexSyntaxError} with Go's text.
 */
export function parseRegex(text: string): ParsedRegex {
  const parser = new RegexParser(text);
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
  #rest: string;
  #flags: Flags = {
    foldsCase: false,
    isMultiline: false,
    dotIsAll: false,
    isLazy: false,
  };
  readonly #levels: Level[] = [];
  #level: Level;

  constructor(text: string) {
    this.#whole = text;
    this.#rest = text;
    this.#level = { flags: this.#flags, group: undefined, options: [], items: [] };
  }

  parse(): RegexNode {
    let lastRepeat = '';
    while (this.#rest !== '') {
      const before = this.#rest;
      lastRepeat = this.#step(lastRepeat) ? before : '';
    }
    if (this.#levels.length > 0) throw new RegexSyntaxError('missing closing )', this.#whole);
    return this.#close();
  }

  /** Reads one item; whether it was a repetition. */
  #step(lastRepeat: string): boolean {
    const rest = this.#rest;
    switch (rest[0]) {
      case '(':
        this.#open();
        return false;
      case '|':
        this.#rest = rest.slice(1);
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
        this.#rest = rest.slice(1);
        return this.#set([this.#flags.dotIsAll ? anything : noLineEnd], { foldsCase: false });
      case '[':
        this.#bracket();
        return false;
      case '*':
      case '+':
      case '?':
        this.#repeat(
          rest[0] === '+' ? 1 : 0,
          rest[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
          rest.slice(1),
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
        return this.#literal(this.#take());
    }
  }

  #take(): string {
    const character = String.fromCodePoint(this.#rest.codePointAt(0) ?? 0);
    this.#rest = this.#rest.slice(character.length);
    return character;
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
    this.#rest = this.#rest.slice(length);
    this.#push({ kind: 'assertion', assertion });
    return false;
  }

  #push(node: RegexNode): void {
    this.#level.items.push(node);
  }

  #open(): void {
    if (this.#rest[1] === '?') {
      this.#perlGroup();
    } else {
      this.#rest = this.#rest.slice(1);
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
    this.#rest = this.#rest.slice(1);
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
    const text = this.#rest;
    const isLong = text.length > 4 && text.startsWith('(?P<');
    if (isLong || (text.length > 3 && text.startsWith('(?<'))) {
      const end = text.indexOf('>');
      if (end < 0) throw new RegexSyntaxError('invalid named capture', text);
      const name = text.slice(isLong ? 4 : 3, end);
      if (!/^\w+$/.test(name)) {
        throw new RegexSyntaxError('invalid named capture', text.slice(0, end + 1));
      }
      this.#rest = text.slice(end + 1);
      this.#enter(this.names.push(name) - 1, this.#flags);
      return;
    }
    this.#rest = text.slice(2);
    let flags = { ...this.#flags };
    let isOn = true;
    let sawFlag = false;
    while (this.#rest !== '') {
      const character = this.#take();
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
    throw new RegexSyntaxError(
      'invalid or unsupported Perl syntax',
      text.slice(0, text.length - this.#rest.length),
    );
  }

  #braces(lastRepeat: string): boolean {
    const [written, least = '', comma, most] =
      /^\{(0|[1-9]\d*)(,)?(0|[1-9]\d*)?\}/.exec(this.#rest) ?? [];
    if (written === undefined || (comma === undefined && most !== undefined)) {
      this.#rest = this.#rest.slice(1);
      return this.#literal('{');
    }
    const from = Number(least);
    const to = most === undefined ? (comma ? Number.POSITIVE_INFINITY : from) : Number(most);
    if (from > mostRepetitions || (most !== undefined && to > mostRepetitions) || from > to) {
      throw new RegexSyntaxError('invalid repeat count', written);
    }
    this.#repeat(from, to, this.#rest.slice(written.length), lastRepeat, true);
    return true;
  }

  #repeat(least: number, most: number, rest: string, lastRepeat: string, isCounted: boolean): void {
    const before = this.#rest;
    const isSwapped = rest.startsWith('?');
    const after = isSwapped ? rest.slice(1) : rest;
    if (lastRepeat !== '') {
      const stacked = lastRepeat.slice(0, lastRepeat.length - after.length);
      throw new RegexSyntaxError('invalid nested repetition operator', stacked);
    }
    const written = before.slice(0, before.length - after.length);
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
    this.#rest = after;
    this.#push(node);
  }

  #escape(): void {
    const rest = this.#rest;
    const assertion = rest.length > 1 ? assertions[rest[1] ?? ''] : undefined;
    if (assertion !== undefined) {
      this.#assertion(2, assertion);
      return;
    }
    if (rest[1] === 'C') throw new RegexSyntaxError('invalid escape sequence', '\\C');
    if (rest[1] === 'Q') {
      const end = rest.indexOf('\\E', 2);
      for (const character of rest.slice(2, end < 0 ? undefined : end)) this.#literal(character);
      this.#rest = end < 0 ? '' : rest.slice(end + 2);
      return;
    }
    const group = this.#unicodeGroup() ?? this.#perlGroupEscape();
    if (group === undefined) this.#literal(this.#escaped());
    else this.#set([group]);
  }

  /** The class `\pL`, `\p{Greek}` or `\P{…}`; `undefined` where none of these comes next. */
  #unicodeGroup(): ClassPart | undefined {
    const rest = this.#rest;
    const kind = rest[0] === '\\' ? rest[1] : undefined;
    if (kind !== 'p' && kind !== 'P') return undefined;
    const single = String.fromCodePoint(rest.codePointAt(2) ?? 0xfffd);
    const end = rest.indexOf('}');
    if (single === '{' && end < 0)
      throw new RegexSyntaxError('invalid character class range', rest);
    const written = single === '{' ? rest.slice(0, end + 1) : rest.slice(0, 2 + single.length);
    const name = single === '{' ? written.slice(3, -1) : written.slice(2);
    const isNegated = name.startsWith('^') !== (kind === 'P');
    const members = unicodeClass(name.replace(/^\^/, ''));
    if (members === undefined) throw new RegexSyntaxError('invalid character class range', written);
    this.#rest = rest.slice(written.length);
    return { members, isNegated };
  }

  #perlGroupEscape(): ClassPart | undefined {
    const found = perlClass(this.#rest);
    if (found !== undefined) this.#rest = this.#rest.slice(2);
    return found;
  }

  /** The character that an escape stands for. */
  #escaped(): string {
    const written = this.#rest;
    this.#rest = written.slice(1);
    if (this.#rest === '') {
      throw new RegexSyntaxError('trailing backslash at end of expression', '');
    }
    const character = this.#take();
    if (Object.hasOwn(controls, character)) return controls[character] ?? '';
    if (/^[\0-\x7f]$/.test(character) && !/^[0-9A-Za-z]$/.test(character)) return character;
    const code = /^[0-7]$/.test(character)
      ? this.#octal(character)
      : character === 'x'
        ? this.#hexadecimal()
        : undefined;
    if (code !== undefined) return String.fromCodePoint(code);
    throw new RegexSyntaxError(
      'invalid escape sequence',
      written.slice(0, written.length - this.#rest.length),
    );
  }

  #octal(first: string): number | undefined {
    const [more = ''] = /^[0-7]{0,2}/.exec(this.#rest) ?? [];
    if (first !== '0' && more === '') return undefined;
    this.#rest = this.#rest.slice(more.length);
    return Number.parseInt(first + more, 8);
  }

  #hexadecimal(): number | undefined {
    if (this.#rest === '') return undefined;
    const first = this.#take();
    if (first !== '{') {
      if (this.#rest === '') return undefined;
      const digits = first + this.#take();
      return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
    }
    let code = 0;
    let count = 0;
    while (this.#rest !== '') {
      const digit = this.#take();
      if (digit === '}') return count === 0 ? undefined : code;
      if (!/^[0-9A-Fa-f]$/.test(digit)) return undefined;
      code = code * 16 + Number.parseInt(digit, 16);
      if (code > 0x10ffff) return undefined;
      count++;
    }
    return undefined;
  }

  #bracket(): void {
    const whole = this.#rest;
    this.#rest = whole.slice(1);
    const isNegated = this.#rest.startsWith('^');
    if (isNegated) this.#rest = this.#rest.slice(1);
    const members: number[] = [];
    const parts: ClassPart[] = [{ members, isNegated: false }];
    for (let isFirst = true; isFirst || this.#rest[0] !== ']'; isFirst = false) {
      const group = this.#namedClass() ?? this.#unicodeGroup() ?? this.#perlGroupEscape();
      if (group === undefined) members.push(...this.#range(whole));
      else parts.push(group);
    }
    this.#rest = this.#rest.slice(1);
    this.#set(parts, { isNegated });
  }

  #namedClass(): ClassPart | undefined {
    if (!this.#rest.startsWith('[:') || this.#rest.length < 3) return undefined;
    const end = this.#rest.indexOf(':]', 2);
    if (end < 0) return undefined;
    const name = this.#rest.slice(0, end + 2);
    const found = posixClass(name);
    if (found === undefined) throw new RegexSyntaxError('invalid character class range', name);
    this.#rest = this.#rest.slice(name.length);
    return found;
  }

  #range(whole: string): readonly [from: number, to: number] {
    const written = this.#rest;
    const from = this.#classCharacter(whole);
    if (this.#rest.length < 2 || this.#rest[0] !== '-' || this.#rest[1] === ']') {
      return [from, from];
    }
    this.#rest = this.#rest.slice(1);
    const to = this.#classCharacter(whole);
    if (to < from) {
      throw new RegexSyntaxError(
        'invalid character class range',
        written.slice(0, written.length - this.#rest.length),
      );
    }
    return [from, to];
  }

  #classCharacter(whole: string): number {
    if (this.#rest === '') throw new RegexSyntaxError('missing closing ]', whole);
    const character = this.#rest[0] === '\\' ? this.#escaped() : this.#take();
    return character.codePointAt(0) ?? 0;
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

const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const anything: ClassPart = { members: [], isNegated: true };
const noLineEnd: ClassPart = { members: [0x0a, 0x0a], isNegated: true };

function sequence(items: readonly RegexNode[]): RegexNode {
  const [only] = items;
  if (only === undefined) return { kind: 'empty' };
  return items.length === 1 ? only : { kind: 'sequence', parts: items };
}

/** What a node is made of. */
export function partsOf(node: RegexNode): readonly RegexNode[] {
  switch (node.kind) {
    case 'group':
    case 'repeat':
      return [node.part];
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    default:
      return [];
  }
}

/** How often something is repeated at most, within repetitions of its own (Go's `repeatIsValid`). */
function isRepeatValid(node: RegexNode, most: number): boolean {
  let left = most;
  if (node.kind === 'repeat' && node.isCounted) {
    const count = node.most === Number.POSITIVE_INFINITY ? node.least : node.most;
    if (node.most === 0) return true;
    if (count > most) return false;
    if (count > 0) left = Math.floor(most / count);
  }
  return partsOf(node).every((part) => isRepeatValid(part, left));
}

const heights = new WeakMap<RegexNode, number>();

function heightOf(node: RegexNode): number {
  return getOrMake(
    heights,
    node,
    () => 1 + partsOf(node).reduce((most, part) => Math.max(most, heightOf(part)), 0),
  );
}

/** How many instructions a tree becomes (Go's `calcSize`). */
function sizeOf(node: RegexNode): number {
  const inner = partsOf(node).reduce((sum, part) => sum + sizeOf(part), 0);
  switch (node.kind) {
    case 'group':
      return 2 + inner;
    case 'choice':
      return inner + node.options.length - 1;
    case 'repeat': {
      const { least, most } = node;
      if (most !== Number.POSITIVE_INFINITY) return Math.max(1, most * inner + (most - least));
      return least === 0 ? 2 + inner : 1 + least * inner;
    }
    default:
      return Math.max(1, inner);
  }
}
