import type { RE2JS } from 're2js';

/** A match of a regular expression in a text; places are in UTF-16 units. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  /** What its groups hold, the whole match first; empty for one that took no part. */
  readonly groups: readonly string[];
}

/** Every match in a text (Go's `FindAllStringSubmatchIndex`): an empty one right after a match is none. */
export function findMatches(program: RE2JS, text: string): readonly RegexMatch[] {
  const matcher = program.matcher(text);
  const found: RegexMatch[] = [];
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end === start && start === found.at(-1)?.end) continue;
    const numbers = Array.from({ length: matcher.groupCount() + 1 }, (_, number) => number);
    found.push({ start, end, groups: numbers.map((number) => matcher.group(number) ?? '') });
  }
  return found;
}

/** Replaces every match by what a template with `$1`, `${1}`, `$name`, `${name}` and `$$` makes of it. */
export function replaceMatches(program: RE2JS, text: string, template: string): string {
  const names: Readonly<Record<string, number>> = program.namedGroups();
  return replaceEach(program, text, ({ groups }) =>
    template.replaceAll(reference, (_found, dollar, bare, braced) => {
      if (dollar !== undefined) return '$';
      const name = String(bare ?? braced);
      if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return groups[Number(name)] ?? '';
      return Object.hasOwn(names, name) ? (groups[names[name] ?? 0] ?? '') : '';
    }),
  );
}

/** Replaces every match by what a function gives for it. */
export function replaceEach(
  program: RE2JS,
  text: string,
  replacement: (match: RegexMatch) => string,
): string {
  let result = '';
  let copied = 0;
  for (const match of findMatches(program, text)) {
    result += text.slice(copied, match.start) + replacement(match);
    copied = match.end;
  }
  return result + text.slice(copied);
}

const reference = /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;
