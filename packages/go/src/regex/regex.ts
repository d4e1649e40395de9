import { memoize } from '../memoize.ts';
import { isAutomatic, RegexAutomaton } from './automaton.ts';
import { type Range, RegexMachine } from './machine.ts';
import { allMatches, GroupedRegex, type RegexMatch } from './matches.ts';
import { longestNativeText, nativeFinder, nativeRegex } from './native.ts';
import { parseRegex } from './parse-regex.ts';
import { compileProgram } from './program.ts';
import { RegexSyntaxError } from './syntax.ts';

/** A compiled regular expression with Go's syntax and meaning (RE2); matching takes linear time. */
export class Regex {
  private readonly pattern: string;
  /** Tells, where it is there, sooner whether a text matches. */
  private readonly native: RegExp | undefined;
  private compiled: Matchers | undefined;
  /** Whether the pattern stands for itself. */
  private readonly isPlain: boolean;
  /** Finds matches sooner; null where nothing does. */
  private finder: RegExp | null | undefined;
  private grouped: GroupedRegex | undefined;

  /** Of a pattern that is one, with what is known of it. */
  constructor(pattern: string, compiled: Matchers | RegExp) {
    this.pattern = pattern;
    this.isPlain = plain.test(pattern);
    this.native = compiled instanceof RegExp ? compiled : undefined;
    this.compiled = compiled instanceof RegExp ? undefined : compiled;
  }

  private get matchers(): Matchers {
    this.compiled ??= matchersOf(this.pattern);
    return this.compiled;
  }

  private get withGroups(): GroupedRegex {
    this.grouped ??= new GroupedRegex(this.pattern);
    return this.grouped;
  }

  /** Whether there is a match anywhere in the text. */
  test(text: string): boolean {
    if (this.isPlain) return text.includes(this.pattern);
    const { native } = this;
    if (native !== undefined && text.length <= longestNativeText) return native.test(text);
    const { automaton, machine } = this.matchers;
    return automaton?.test(text) ?? machine.match(text, 0, true) !== undefined;
  }

  /** The text of the first match; the empty string when there is none. */
  find(text: string): string {
    const found = this.match(text, 0);
    return found === undefined ? '' : text.slice(found.start, found.end);
  }

  private match(text: string, from: number): Range | undefined {
    if (this.isPlain) {
      const start = text.indexOf(this.pattern, from);
      return start === -1 ? undefined : { start, end: start + this.pattern.length };
    }
    if (this.finder === undefined) this.finder = nativeFinder(this.pattern) ?? null;
    const { finder } = this;
    if (finder === null || text.length > longestNativeText || surrogate.test(text)) {
      return this.matchers.machine.match(text, from, false);
    }
    finder.lastIndex = from;
    const found = finder.exec(text);
    return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
  }

  /** The texts of the first `limit` matches, of all when `limit` is negative, as Go's FindAllString. */
  findAll(text: string, limit: number): string[] {
    return allMatches(text, limit, (from) => this.match(text, from)).map(({ start, end }) =>
      text.slice(start, end),
    );
  }

  /** How many capturing groups the pattern has. */
  get groupCount(): number {
    return this.withGroups.names.length - 1;
  }

  /** Every match with its groups, as Go's FindAllStringSubmatchIndex. */
  matches(text: string): readonly RegexMatch[] {
    return this.withGroups.matches(text);
  }

  /** Every match replaced by a template with `$1`, `${name}` and `$$`, as Go's ReplaceAllString. */
  replaceAll(text: string, template: string): string {
    return this.withGroups.replaceAll(text, template);
  }

  /** Every match replaced by one text, as Go's ReplaceAllLiteralString. */
  replaceAllLiterally(text: string, replacement: string): string {
    return this.withGroups.replaceEach(text, () => replacement);
  }
}

// Without anything that has a meaning, and without what a surrogate without its other half is decoded as. Matching such
// a pattern by steps would take as long as text and pattern multiplied, as Go knows, too.
const plain = /^[^\\.+*?()|[\]{}^$\ufffd\p{Cs}]*$/u;

// V8 finds the end of a text in the middle of a pair.
const surrogate = /[\ud800-\udfff]/;

/** Why a pattern is no regular expression, as Go says it: ``error parsing regexp: …: `…` ``. */
export interface RegexError {
  readonly error: string;
}

/**
 * Compiles a regular expression as Go's `regexp.Compile`; a pattern that is none gives Go's text as
 * the error.
 */
export function compileRegex(pattern: string): Regex | RegexError {
  try {
    return new Regex(pattern, nativeRegex(pattern) ?? matchersOf(pattern));
  } catch (error) {
    if (error instanceof RegexSyntaxError) return { error: error.message };
    throw error;
  }
}

interface Matchers {
  readonly machine: RegexMachine;
  /** Tells whether there is a match, where it can. */
  readonly automaton: RegexAutomaton | undefined;
}

function matchersOf(pattern: string): Matchers {
  const program = compileProgram(parseRegex(pattern).node);
  return {
    machine: new RegexMachine(program),
    automaton: isAutomatic(program) ? new RegexAutomaton(program) : undefined,
  };
}

/** As {@link compileRegex}, for patterns that are known only when evaluating: remembers recent ones. */
export const recentRegex: (pattern: string) => Regex | RegexError = memoize(compileRegex, 1024);
