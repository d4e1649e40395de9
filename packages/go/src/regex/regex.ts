import { memoize } from '@kubeadmit/base';
import { GroupedRegex, type RegexMatch } from './matches.ts';
import type { ParsedRegex } from './parse-regex.ts';
import { RegexFinder } from './regex-finder.ts';
import { compileAs, type RegexError } from './regex-tester.ts';

/** A compiled regular expression with Go's syntax and meaning (RE2); matching takes linear time. */
export class Regex extends RegexFinder {
  #grouped: GroupedRegex | undefined;

  constructor(parsed: ParsedRegex) {
    super(parsed);
  }

  get #withGroups(): GroupedRegex {
    this.#grouped ??= new GroupedRegex(this.parsed);
    return this.#grouped;
  }

  /** How many capturing groups the pattern has. */
  get groupCount(): number {
    return this.#withGroups.names.length - 1;
  }

  /** Every match with its groups, as Go's FindAllStringSubmatchIndex. */
  matches(text: string): readonly RegexMatch[] {
    return this.#withGroups.matches(text);
  }

  /** Every match replaced by a template with `$1`, `${name}` and `$$`, as Go's ReplaceAllString. */
  replaceAll(text: string, template: string): string {
    return this.#withGroups.replaceAll(text, template);
  }

  /** Every match replaced by one text, as Go's ReplaceAllLiteralString. */
  replaceAllLiterally(text: string, replacement: string): string {
    return this.#withGroups.replaceEach(text, () => replacement);
  }
}

/** Compiles a regular expression as Go's `regexp.Compile`. Returns Go's error for an invalid pattern. */
export function compileRegex(pattern: string): Regex | RegexError {
  return compileAs(Regex, pattern);
}

/** As {@link compileRegex}, for patterns that are known only when evaluating: remembers recent ones. */
export const recentRegex: (pattern: string) => Regex | RegexError = memoize(compileRegex, 1024);
