import { recentRegex } from '@kubeadmit/go/internal';
import { Failure } from '../failure.ts';

/** How often `*`, `+` and `{n,}` repeat at most beyond what they must. */
const openRepeats = 100;
/** How long a generated text may get. */
const longest = 1_000_000;

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const digits = Array.from('0123456789');
const wordCharacters = [
  ...digits,
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'),
];
const classes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  w: wordCharacters,
  s: [' ', '\t', '\n', '\f', '\r'],
  D: printable.filter((character) => !digits.includes(character)),
  W: printable.filter((character) => !wordCharacters.includes(character)),
  S: printable.filter((character) => character !== ' '),
};
const controls: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  a: '\u0007',
};

/** A random text that a regular expression matches, as Kyverno's `random` makes it. */
export function randomText(pattern: string): string | Failure {
  if (pattern === '') return new Failure('no pattern provided');
  const expression = recentRegex(pattern);
  if ('error' in expression) return new Failure(expression.error);
  const text = new Generator(pattern).alternatives()();
  return text.length > longest ? new Failure('the pattern makes too long a text') : text;
}

type Make = () => string;

/** Reads a pattern that is known to be right and makes functions that write text for its parts. */
class Generator {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }

  alternatives(): Make {
    const choices = [this.#sequence()];
    while (this.#take('|')) choices.push(this.#sequence());
    return () => pick(choices)();
  }

  #sequence(): Make {
    const parts: Make[] = [];
    while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') {
      parts.push(this.#repeated(this.#atom()));
    }
    return () => parts.map((make) => make()).join('');
  }

  #repeated(make: Make): Make {
    const range = this.#range();
    if (range === undefined) return make;
    this.#take('?');
    const [least, most] = range;
    return () => {
      const count = least + Math.floor(Math.random() * (most - least + 1));
      let text = '';
      for (let at = 0; at < count && text.length <= longest; at++) text += make();
      return text;
    };
  }

  #range(): readonly [number, number] | undefined {
    if (this.#take('?')) return [0, 1];
    if (this.#take('*')) return [0, openRepeats];
    if (this.#take('+')) return [1, 1 + openRepeats];
    const match = /^\{(\d+)(?:(,)(\d*))?\}/.exec(
      this.#characters.slice(this.#at, this.#at + 12).join(''),
    );
    if (match === null) return undefined;
    this.#at += match[0].length;
    const least = Number(match[1]);
    if (match[2] === undefined) return [least, least];
    return [least, match[3] ? Number(match[3]) : least + openRepeats];
  }

  #atom(): Make {
    const character = this.#next ?? '';
    this.#at++;
    if (character === '(') return this.#group();
    if (character === '[') return this.#class();
    if (character === '.') return () => pick(printable);
    if (character === '^' || character === '$') return () => '';
    return character === '\\' ? this.#escape() : () => character;
  }

  #group(): Make {
    const opening = /^\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]*(?=\)))/.exec(
      this.#characters.slice(this.#at, this.#at + 64).join(''),
    );
    this.#at += opening?.[0].length ?? 0;
    const make = this.alternatives();
    this.#take(')');
    return make;
  }

  #escape(): Make {
    const character = this.#next ?? '';
    this.#at++;
    const set = Object.hasOwn(classes, character) ? classes[character] : undefined;
    if (set !== undefined) return () => pick(set);
    if (/[bBAz]/.test(character)) return () => '';
    return () => controls[character] ?? character;
  }

  #class(): Make {
    const negated = this.#take('^');
    const members: string[] = [];
    let isFirst = true;
    while (this.#next !== undefined && (isFirst || this.#next !== ']')) {
      isFirst = false;
      this.#member(members);
    }
    this.#take(']');
    const set = negated ? printable.filter((character) => !members.includes(character)) : members;
    return () => pick(set);
  }

  #member(members: string[]): void {
    const first = this.#memberCharacter(members);
    if (first === undefined) return;
    const hasRange = this.#next === '-' && this.#characters[this.#at + 1] !== ']';
    if (!hasRange) {
      members.push(first);
      return;
    }
    this.#at++;
    const last = this.#memberCharacter(members) ?? first;
    for (let code = first.codePointAt(0) ?? 0; code <= (last.codePointAt(0) ?? 0); code++) {
      members.push(String.fromCodePoint(code));
    }
  }

  #memberCharacter(members: string[]): string | undefined {
    const character = this.#next ?? '';
    this.#at++;
    if (character !== '\\') return character;
    const escaped = this.#next ?? '';
    this.#at++;
    const set = Object.hasOwn(classes, escaped) ? classes[escaped] : undefined;
    if (set === undefined) return controls[escaped] ?? escaped;
    members.push(...set);
    return undefined;
  }
}

function pick<T>(choices: readonly T[]): T {
  const choice = choices[Math.floor(Math.random() * choices.length)];
  return choice as T;
}
