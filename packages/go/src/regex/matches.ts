import { allMatches, linearSearch } from './all-matches.ts';
import { GroupMachine } from './group-machine.ts';
import { LinearMatcher } from './linear-matcher.ts';
import type { ParsedRegex } from './parse-regex.ts';
import { compileProgram, type RegexProgram } from './program.ts';

/** A match of a regular expression in a text; places are in UTF-16 units. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  /** The texts of the groups, the complete match first; empty for groups that took no part. */
  readonly groups: readonly string[];
}

/** A regular expression that reports the contents of its groups. */
export class GroupedRegex {
  /** The name of each group, the whole match first; empty for one that has none. */
  readonly names: readonly string[];
  readonly #program: RegexProgram;
  readonly #machine: GroupMachine;

  constructor({ node, names }: ParsedRegex) {
    this.names = names;
    this.#program = compileProgram(node, true);
    this.#machine = new GroupMachine(this.#program, names.length);
  }

  /** Every match in a text (Go's `FindAllStringSubmatchIndex`). */
  matches(text: string): readonly RegexMatch[] {
    const find = linearSearch(
      text,
      () => this.#machine.steps,
      (from) => this.#machine.match(text, from),
      () => {
        const matcher = new LinearMatcher(this.#program, text, 2 * this.names.length);
        return (from) => matcher.match(from);
      },
    );
    const next = (from: number): RegexMatch | undefined => {
      const slots = find(from);
      if (slots === undefined) return undefined;
      const groups = this.names.map((_, number) => {
        const [start = -1, end = -1] = slots.slice(2 * number, 2 * number + 2);
        return start < 0 || end < 0 ? '' : text.slice(start, end);
      });
      return { start: slots[0] ?? 0, end: slots[1] ?? 0, groups };
    };
    return allMatches(text, -1, next);
  }

  /** Replaces every match with the expansion of a template (`$1`, `${1}`, `$name`, `${name}`, `$$`). */
  replaceAll(text: string, template: string): string {
    return this.replaceEach(text, ({ groups }) =>
      template.replaceAll(reference, (_found, dollar, bare, braced) => {
        if (dollar !== undefined) return '$';
        const name = String(bare ?? braced);
        if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return groups[Number(name)] ?? '';
        const number = this.names.findIndex(
          (known, index) => known === name && (groups[index] ?? '') !== '',
        );
        return groups[number] ?? '';
      }),
    );
  }

  /** Replaces every match with the result of a function. */
  replaceEach(text: string, replacement: (match: RegexMatch) => string): string {
    let result = '';
    let copied = 0;
    for (const match of this.matches(text)) {
      result += text.slice(copied, match.start) + replacement(match);
      copied = match.end;
    }
    return result + text.slice(copied);
  }
}

const reference = /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;
