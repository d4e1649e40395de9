import { type CharacterSet, characterSet, complement } from './character-set.ts';

/** The tree of a regular expression. */
export type Pattern =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  /** The beginning or the end of the text. */
  | { readonly kind: 'edge'; readonly isEnd: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

/**
 * Reads a regular expression in Go's syntax (RE2) where it uses none of its rarer parts, of which are
 * word boundaries, Unicode classes, flags but for `(?i)` and `(?s)` at the beginning, and names of
 * groups. `undefined` otherwise, and for whatever may be no regular expression at all.
 */
export function readPattern(text: string): Pattern | undefined {
  const flags = /^(?:\(\?[is]+\))?/.exec(text)?.[0] ?? '';
  const reader = new PatternReader(text.slice(flags.length), flags);
  try {
    return reader.read();
  } catch (problem) {
    if (problem instanceof Unusual) return undefined;
    throw problem;
  }
}

/** Thrown where a pattern has something that is not read here. */
class Unusual extends Error {}

const digits = [0x30, 0x39];
const wordCharacters = [...digits, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const spaces = [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20];
const classes: Readonly<Record<string, CharacterSet>> = { d: digits, w: wordCharacters, s: spaces };
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const deepest = 50;
const mostRepetitions = 1000;

class PatternReader {
  readonly #characters: readonly string[];
  readonly #foldsCase: boolean;
  readonly #dot: CharacterSet;
  #position = 0;
  #depth = 0;

  constructor(text: string, flags: string) {
    this.#characters = [...text];
    this.#foldsCase = flags.includes('i');
    this.#dot = complement(flags.includes('s') ? [] : [0x0a, 0x0a]);
  }

  read(): Pattern {
    const pattern = this.#choice();
    // Only a closing parenthesis without an opening one ends it early.
    return this.#position === this.#characters.length ? pattern : unusual();
  }

  get #next(): string {
    return this.#characters[this.#position] ?? '';
  }

  #take(): string {
    return this.#characters[this.#position++] ?? unusual();
  }

  #skip(character: string): boolean {
    const found = this.#next === character;
    this.#position += found ? 1 : 0;
    return found;
  }

  #choice(): Pattern {
    const options: Pattern[] = [];
    do {
      options.push(this.#sequence());
    } while (this.#skip('|'));
    const [first] = options;
    return options.length === 1 && first !== undefined ? first : { kind: 'choice', options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#next !== '' && this.#next !== '|' && this.#next !== ')') {
      parts.push(this.#repeat(this.#single()));
    }
    return { kind: 'sequence', parts };
  }

  #single(): Pattern {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#bracket();
      case '.':
        return { kind: 'set', set: this.#dot };
      case '^':
      case '$':
        return { kind: 'edge', isEnd: character === '$' };
      case '*':
      case '+':
      case '?':
      case '{':
        return unusual();
      case '\\':
        if (this.#next === 'A' || this.#next === 'z') {
          return { kind: 'edge', isEnd: this.#take() === 'z' };
        }
        return this.#set(this.#escapedClass() ?? point(this.#escaped()));
      default:
        return this.#set(point(codePoint(character)));
    }
  }

  #group(): Pattern {
    if (this.#skip('?') && !this.#skip(':')) return unusual();
    if (++this.#depth > deepest) return unusual();
    const pattern = this.#choice();
    this.#depth--;
    return this.#skip(')') ? pattern : unusual();
  }

  #repeat(part: Pattern): Pattern {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    const [least, most] = bounds;
    const isLazy = this.#skip('?');
    const repeated: Pattern = { kind: 'repeat', part, least, most, isLazy };
    const isNested = '*+?{'.includes(this.#next || ' ');
    return part.kind === 'edge' || isNested || copies(repeated) > mostRepetitions
      ? unusual()
      : repeated;
  }

  #bounds(): readonly [least: number, most: number] | undefined {
    switch (this.#next) {
      case '*':
      case '+':
        return [this.#take() === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
      case '?':
        this.#take();
        return [0, 1];
      case '{':
        return this.#counts();
      default:
        return undefined;
    }
  }

  #counts(): readonly [least: number, most: number] {
    const close = this.#characters.indexOf('}', this.#position);
    const text = this.#characters.slice(this.#position, close + 1).join('');
    const [, from, comma, to] = /^\{(0|[1-9]\d{0,3})(,)?(0|[1-9]\d{0,3})?\}$/.exec(text) ?? [];
    const least = Number(from);
    const most = to === undefined ? (comma ? Number.POSITIVE_INFINITY : least) : Number(to);
    const isLimited = least <= mostRepetitions && (most <= mostRepetitions || to === undefined);
    if (from === undefined || (to !== undefined && comma === undefined)) return unusual();
    this.#position = close + 1;
    return isLimited && least <= most ? [least, most] : unusual();
  }

  #bracket(): Pattern {
    const isNegated = this.#skip('^');
    const ranges: number[] = [];
    let isFirst = true;
    while (isFirst || this.#next !== ']') {
      isFirst = false;
      ranges.push(...this.#bracketItem());
    }
    this.#take();
    const set = this.#fold(characterSet(ranges));
    return { kind: 'set', set: isNegated ? complement(set) : set };
  }

  #bracketItem(): CharacterSet {
    if (this.#next === '[' && this.#characters[this.#position + 1] === ':') return unusual();
    const isEscaped = this.#skip('\\');
    const escapedClass = isEscaped ? this.#escapedClass() : undefined;
    if (escapedClass !== undefined) return escapedClass;
    const from = isEscaped ? this.#escaped() : codePoint(this.#take());
    const beyond = this.#characters[this.#position + 1];
    if (this.#next !== '-' || beyond === ']' || beyond === undefined) return point(from);
    this.#take();
    const to = this.#skip('\\') ? this.#escaped() : codePoint(this.#take());
    return from <= to ? [from, to] : unusual();
  }

  /** A class such as `\d`, whose backslash has been read; `undefined` when it is none. */
  #escapedClass(): CharacterSet | undefined {
    const name = this.#next;
    const set = Object.hasOwn(classes, name.toLowerCase())
      ? classes[name.toLowerCase()]
      : undefined;
    if (set === undefined) return undefined;
    this.#take();
    const folded = this.#fold(set);
    return name === name.toLowerCase() ? folded : complement(folded);
  }

  /** The code point of an escape whose backslash has been read. */
  #escaped(): number {
    const character = this.#take();
    if (Object.hasOwn(controls, character)) return controls[character] ?? 0;
    return /^[!-/:-@[-`{-~ ]$/.test(character) ? codePoint(character) : unusual();
  }

  #set(set: CharacterSet): Pattern {
    return { kind: 'set', set: this.#fold(set) };
  }

  /** With the other case of every letter; the two that ASCII letters have outside of it are known. */
  #fold(set: CharacterSet): CharacterSet {
    if (!this.#foldsCase) return set;
    const folded = [...set];
    for (let index = 0; index < set.length; index += 2) {
      const [from = 0, to = 0] = set.slice(index, index + 2);
      if (to > 0x7f) return unusual();
      for (let code = from; code <= to; code++) {
        const letter = String.fromCharCode(code);
        for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
          folded.push(codePoint(other), codePoint(other));
        }
        const beyond = letter === 'k' || letter === 'K' ? 0x212a : 0x17f;
        if ('kKsS'.includes(letter)) folded.push(beyond, beyond);
      }
    }
    return characterSet(folded);
  }
}

/** How often something in a pattern is repeated at most, within repetitions of its own. */
function copies(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'sequence':
      return Math.max(1, ...pattern.parts.map(copies));
    case 'choice':
      return Math.max(1, ...pattern.options.map(copies));
    case 'repeat': {
      const { part, least, most } = pattern;
      const count = most === Number.POSITIVE_INFINITY ? least : most;
      return Math.max(1, count) * copies(part);
    }
    default:
      return 1;
  }
}

function point(code: number): CharacterSet {
  return [code, code];
}

function codePoint(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xd800 && code <= 0xdfff ? unusual() : code;
}

function unusual(): never {
  throw new Unusual();
}
