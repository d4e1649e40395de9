import { RE2JS } from 're2js';

/** A regular expression in Go's syntax, which takes time linear in the text. */
export type RegularExpression = RE2JS;

const cache = new Map<string, RegularExpression | { readonly error: string }>();
const cacheLimit = 256;

/** Reads a regular expression with Go's error texts; the latest ones are remembered. */
export function readRegularExpression(
  pattern: string,
): RegularExpression | { readonly error: string } {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const expression = compileExpression(pattern);
  if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value ?? '');
  cache.set(pattern, expression);
  return expression;
}

function compileExpression(pattern: string): RegularExpression | { readonly error: string } {
  try {
    return RE2JS.compile(pattern);
  } catch (problem) {
    return { error: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** Whether a regular expression is found anywhere in a text. */
export function isFound(expression: RegularExpression, text: string): boolean {
  return expression.test(text);
}

/** Replaces every match by what a template with `$1`, `${1}`, `$name`, `${name}` and `$$` makes of it. */
export function replaceMatches(
  expression: RegularExpression,
  text: string,
  template: string,
): string {
  return replaceEach(expression, text, (group) => expandTemplate(template, group));
}

/** Replaces every match by the same text. */
export function replaceMatchesLiterally(
  expression: RegularExpression,
  text: string,
  replacement: string,
): string {
  return replaceEach(expression, text, () => replacement);
}

/** A match of a regular expression in a text. */
export interface RegularMatch {
  readonly start: number;
  readonly end: number;
  /** What its groups hold, the whole match first. */
  readonly groups: readonly string[];
}

/** Every match in a text, as Go's `FindAllStringSubmatch` finds them. */
export function findMatches(expression: RegularExpression, text: string): readonly RegularMatch[] {
  const matcher = expression.matcher(text);
  const found: RegularMatch[] = [];
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end === start && start === found.at(-1)?.end) continue;
    const numbers = Array.from({ length: matcher.groupCount() + 1 }, (_, number) => number);
    found.push({ start, end, groups: numbers.map((number) => matcher.group(number) ?? '') });
  }
  return found;
}

type GroupText = (name: string | number) => string;

function replaceEach(
  expression: RegularExpression,
  text: string,
  replacement: (group: GroupText) => string,
): string {
  const matcher = expression.matcher(text);
  const names: Readonly<Record<string, number>> = expression.namedGroups();
  let result = '';
  let copied = 0;
  while (matcher.find()) {
    const group: GroupText = (name) => {
      const at =
        typeof name === 'number' ? name : Object.hasOwn(names, name) ? names[name] : undefined;
      if (at === undefined || at > matcher.groupCount()) return '';
      return matcher.group(at) ?? '';
    };
    // An empty match right after a match is none in Go.
    if (matcher.end() === matcher.start() && matcher.start() === copied && copied > 0) continue;
    result += text.slice(copied, matcher.start()) + replacement(group);
    copied = matcher.end();
  }
  return result + text.slice(copied);
}

function expandTemplate(template: string, group: GroupText): string {
  return template.replaceAll(
    /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (_found, dollar, bare, braced) => {
      if (dollar !== undefined) return '$';
      const name = String(bare ?? braced);
      if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return group(Number(name));
      return /^\d+$/.test(name) ? '' : group(name);
    },
  );
}
