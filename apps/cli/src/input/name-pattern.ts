/** A pattern for the name of one file or folder: a part for each character or wildcard. */
export type NamePattern = readonly NamePart[];

/** A part of a pattern: any text (`*`), or one character that a function accepts. */
type NamePart = '*' | ((character: string) => boolean);

/** Parses `*` (any text), `?` (any character), `[abc]`, `[a-z]` and `[!a]`; other characters stand for themselves. */
export function parseNamePattern(text: string): NamePattern {
  const parts: NamePart[] = [];
  // A bracket behind the last one that closes is a character.
  const end = text.lastIndexOf(']') + 1;
  const tokens = [
    ...text.slice(0, end).matchAll(/\*+|\[[^\]]+\]|./gsu),
    ...text.slice(end).matchAll(/\*+|./gsu),
  ];
  for (const [token] of tokens) {
    if (token.startsWith('*')) parts.push('*');
    else if (token === '?') parts.push(() => true);
    else if (token.length > 1 && token.startsWith('[')) parts.push(characterClass(token));
    else parts.push((character) => character === token);
  }
  return parts;
}

function characterClass(token: string): (character: string) => boolean {
  const isNegated = /^\[[!^]/.test(token) && token.length > 3;
  const characters = [...token.slice(isNegated ? 2 : 1, -1)];
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let i = 0; i < characters.length; i++) {
    const from = characters[i] as string;
    const isRange = characters[i + 1] === '-' && i + 2 < characters.length;
    ranges.push([from, isRange ? (characters[i + 2] as string) : from]);
    if (isRange) i += 2;
  }
  return (character) =>
    ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** Whether a name matches a pattern. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  return matchSequence(
    [...name],
    pattern,
    (part) => part === '*',
    (part, character) => part !== '*' && part(character),
  );
}

/** A pattern for a path: a pattern for each name, and `**` for any number of folders. */
export type PathPattern = readonly (NamePattern | '**')[];

/** Parses the names of a pattern for paths. */
export function parsePathPattern(names: readonly string[]): PathPattern {
  return names.map((name) => (name === '**' ? name : parseNamePattern(name)));
}

/** Whether the names of a path match a pattern. */
export function matchesPath(pattern: PathPattern, names: readonly string[]): boolean {
  return matchSequence(
    names,
    pattern,
    (part) => part === '**',
    (part, name) => part !== '**' && matchesName(part, name),
  );
}

/**
 * Matches items one by one against parts of which some stand for any number of items. Only the last of those is ever
 * tried again, which is enough: each one before it has matched as few items as possible. So the time grows with the
 * product of both lengths, whatever the pattern.
 */
function matchSequence<Item, Part>(
  items: readonly Item[],
  parts: readonly Part[],
  isAny: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let retry: { at: number; readonly next: number } | undefined;
  while (at < items.length) {
    const part = parts[next];
    if (part !== undefined && isAny(part)) {
      retry = { at, next: next + 1 };
      next++;
    } else if (part !== undefined && fits(part, items[at] as Item)) {
      at++;
      next++;
    } else if (retry === undefined) return false;
    else {
      retry = { ...retry, at: retry.at + 1 };
      at = retry.at;
      next = retry.next;
    }
  }
  return parts.slice(next).every(isAny);
}
