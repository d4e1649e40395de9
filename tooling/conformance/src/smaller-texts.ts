const replacements = ['1', '"a"', 'true', 'null', '[]', 'object.zz', 'x'];

/** How many smaller forms of an expression are worth a question. */
const MOST = 400;

/** How short a text is whose halves say nothing. */
const SHORT = 8;

/** Shorter texts than one, the shortest first: parts of an expression, or halves of any other text. */
export function smallerTexts(text: string): readonly string[] {
  const found = new Set<string>();
  if (text.length > SHORT) {
    found.add(text.slice(0, Math.floor(text.length / 2)));
    found.add(text.slice(Math.floor(text.length / 2)));
  }
  for (const [start, end] of groupsOf(text)) {
    const before = /[\w.?]+$/.exec(text.slice(0, start))?.[0] ?? '';
    found.add(text.slice(start, end));
    found.add(text.slice(start + 1, end - 1));
    found.add(text.slice(start - before.length, end));
    found.add(text.slice(0, start - before.length) + text.slice(end));
    for (const replacement of replacements) {
      found.add(text.slice(0, start + 1) + replacement + text.slice(end - 1));
      found.add(text.slice(0, start) + replacement + text.slice(end));
    }
  }
  const parts = text.split(/ (?:&&|\|\||==|!=|[-+*/%<>?:]|<=|>=|in) |, /);
  for (const part of parts.length > 1 ? parts : []) {
    found.add(part);
    for (const replacement of replacements) found.add(text.replace(part, () => replacement));
  }
  return [...found]
    .filter((each) => each.length < text.length && each.trim() !== '')
    .sort((left, right) => left.length - right.length)
    .slice(0, MOST);
}

/** The bounds of everything in brackets. */
function groupsOf(text: string): readonly (readonly [start: number, end: number])[] {
  const groups: [number, number][] = [];
  const open: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if ('([{'.includes(character)) open.push(index);
    if (!')]}'.includes(character)) continue;
    const start = open.pop();
    if (start !== undefined) groups.push([start, index + 1]);
  }
  return groups;
}
