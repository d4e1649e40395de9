import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { remember } from '../remember.ts';
import { findMatches, type RegexMatch, replaceEach, replaceMatches } from './matches.ts';
import { longestNativeText, nativeRegex } from './native.ts';

/** A compiled regular expression with Go's syntax and meaning (RE2); matching takes linear time. */
export class Regex {
  private readonly pattern: string;
  /** Tells, where it is there, sooner whether a text matches. */
  private readonly native: RegExp | undefined;
  private compiled: RE2JS | undefined;

  constructor(pattern: string, compiled: RE2JS | RegExp) {
    this.pattern = pattern;
    this.native = compiled instanceof RegExp ? compiled : undefined;
    this.compiled = compiled instanceof RegExp ? undefined : compiled;
  }

  private get program(): RE2JS {
    this.compiled ??= RE2JS.compile(this.pattern);
    return this.compiled;
  }

  /** Whether there is a match anywhere in the text. */
  test(text: string): boolean {
    const { native } = this;
    return native !== undefined && text.length <= longestNativeText
      ? native.test(text)
      : this.program.test(text);
  }

  /** The text of the first match; the empty string when there is none. */
  find(text: string): string {
    return this.program.re2().find(text);
  }

  /** The texts of the first `limit` matches, of all when `limit` is negative, as Go's FindAllString. */
  findAll(text: string, limit: number): string[] {
    return limit === 0 ? [] : (this.program.re2().findAll(text, limit) ?? []);
  }

  /** How many capturing groups the pattern has. */
  get groupCount(): number {
    return this.program.groupCount();
  }

  /** Every match with its groups, as Go's FindAllStringSubmatchIndex. */
  matches(text: string): readonly RegexMatch[] {
    return findMatches(this.program, text);
  }

  /** Every match replaced by a template with `$1`, `${name}` and `$$`, as Go's ReplaceAllString. */
  replaceAll(text: string, template: string): string {
    return replaceMatches(this.program, text, template);
  }

  /** Every match replaced by one text, as Go's ReplaceAllLiteralString. */
  replaceAllLiterally(text: string, replacement: string): string {
    return replaceEach(this.program, text, () => replacement);
  }
}

/** Why a pattern is no regular expression, as Go says it: ``error parsing regexp: …: `…` ``. */
export interface RegexError {
  readonly error: string;
}

/**
 * Compiles a regular expression as Go's `regexp.Compile`; a pattern that is none gives Go's text as
 * the error.
 */
export function compileRegex(pattern: string): Regex | RegexError {
  const compiled = compile(pattern);
  if (!('error' in compiled) || !compiled.error.includes('duplicate capture group name')) {
    return compiled;
  }
  // Go lets groups share a name, and nothing here ever asks for a group by its name.
  const unnamed = withoutGroupNames(pattern);
  const retried = compile(unnamed);
  return 'error' in retried ? { error: retried.error.replace(unnamed, () => pattern) } : retried;
}

function compile(pattern: string): Regex | RegexError {
  try {
    return new Regex(pattern, nativeRegex(pattern) ?? RE2JS.compile(pattern));
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return { error: error.message.includes('`') ? error.message : `${error.message}: \`\`` };
    }
    if (error instanceof RE2JSException) {
      return { error: `error parsing regexp: expression too large: \`${pattern}\`` };
    }
    throw error;
  }
}

// Escapes, quoted text and character classes, in which `(?P<` begins no group; or such a beginning.
const groupNameOrOpaque =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/g;

function withoutGroupNames(pattern: string): string {
  return pattern.replace(groupNameOrOpaque, (match) => (match.startsWith('(') ? '(' : match));
}

/** As {@link compileRegex}, for patterns that are known only when evaluating: remembers recent ones. */
export const recentRegex: (pattern: string) => Regex | RegexError = remember(compileRegex, 1024);
