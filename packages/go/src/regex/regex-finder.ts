import { memoize } from '@kubeadmit/base';
import { allMatches, linearSearch } from './all-matches.ts';
import { LinearMatcher } from './linear-matcher.ts';
import type { Range } from './machine.ts';
import { longestNativeText, nativeFinder } from './native.ts';
import { compileAs, type RegexError, RegexTester } from './regex-tester.ts';

// V8 finds the end of a text in the middle of a pair.
const surrogate = /[\ud800-\udfff]/;

/** As `Regex`, for those who do not ask for groups. */
export class RegexFinder extends RegexTester {
  /** Finds matches sooner; null where nothing does. */
  #finder: RegExp | null | undefined;

  /** Returns the text of the first match, or an empty string. */
  find(text: string): string {
    const found = this.#match(text, 0);
    return found === undefined ? '' : text.slice(found.start, found.end);
  }

  #match(text: string, from: number): Range | undefined {
    if (this.isPlain) {
      const pattern = this.parsed.text;
      const start = text.indexOf(pattern, from);
      return start === -1 ? undefined : { start, end: start + pattern.length };
    }
    if (this.#finder === undefined) this.#finder = nativeFinder(this.parsed) ?? null;
    const finder = this.#finder;
    if (finder === null || text.length > longestNativeText || surrogate.test(text)) {
      return this.matchers.machine.match(text, from, false);
    }
    finder.lastIndex = from;
    const found = finder.exec(text);
    return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
  }

  /** The texts of the first `limit` matches, of all when `limit` is negative, as Go's FindAllString. */
  findAll(text: string, limit: number): string[] {
    const next = linearSearch(
      text,
      () => this.machineSteps,
      (from) => this.#match(text, from),
      () => {
        const matcher = new LinearMatcher(this.matchers.program, text, 2);
        return (from) => rangeOf(matcher.match(from));
      },
    );
    return allMatches(text, limit, next).map(({ start, end }) => text.slice(start, end));
  }
}

function rangeOf(slots: readonly number[] | undefined): Range | undefined {
  const [start, end] = slots ?? [];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** Compiles a pattern for those who do not ask for groups. */
export function compileFinder(pattern: string): RegexFinder | RegexError {
  return compileAs(RegexFinder, pattern);
}

/** As {@link compileFinder}, for patterns that are known only when evaluating: remembers recent ones. */
export const recentFinder: (pattern: string) => RegexFinder | RegexError = memoize(
  compileFinder,
  1024,
);
