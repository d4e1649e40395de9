import type { GeneratedCase } from './generate/case.ts';

const replacements = ['1', '"a"', 'true', 'null', '[]', 'object.zz', 'x'];

/** Makes the expression of a case smaller as long as the case stays interesting. */
export async function shrink(
  input: GeneratedCase,
  isInteresting: (candidate: GeneratedCase) => Promise<boolean>,
): Promise<GeneratedCase> {
  let best = input;
  const { declarations: _, ...plain } = input;
  if (input.declarations !== undefined && (await isInteresting(plain))) best = plain;
  for (let rounds = 0; rounds < 12; rounds++) {
    const smaller = await smallerOf(best, isInteresting);
    if (smaller === undefined) return best;
    best = smaller;
  }
  return best;
}

async function smallerOf(
  input: GeneratedCase,
  isInteresting: (candidate: GeneratedCase) => Promise<boolean>,
): Promise<GeneratedCase | undefined> {
  for (const expression of candidates(input.expression)) {
    const candidate = { ...input, expression };
    if (await isInteresting(candidate)) return candidate;
  }
  return undefined;
}

/** Texts that may be smaller forms of an expression, shortest first. */
function candidates(expression: string): readonly string[] {
  const found = new Set<string>();
  const groups = groupsOf(expression);
  for (const [start, end] of groups) {
    found.add(expression.slice(start, end));
    found.add(expression.slice(start + 1, end - 1));
    for (const replacement of replacements) {
      found.add(expression.slice(0, start + 1) + replacement + expression.slice(end - 1));
      found.add(expression.slice(0, start) + replacement + expression.slice(end));
    }
    const before = /[\w.?]+$/.exec(expression.slice(0, start))?.[0] ?? '';
    found.add(expression.slice(start - before.length, end));
    found.add(expression.slice(0, start - before.length) + expression.slice(end));
  }
  const parts = expression.split(/ (?:&&|\|\||==|!=|[-+*/%<>?:]|<=|>=|in) |, /);
  for (const part of parts) {
    found.add(part);
    for (const replacement of replacements) found.add(expression.replace(part, () => replacement));
  }
  found.delete(expression);
  return [...found]
    .filter((text) => text.length < expression.length && text.trim() !== '')
    .sort((left, right) => left.length - right.length)
    .slice(0, 400);
}

/** The bounds of everything in brackets. */
function groupsOf(expression: string): readonly (readonly [start: number, end: number])[] {
  const groups: [number, number][] = [];
  const open: number[] = [];
  for (const [index, character] of [...expression].entries()) {
    if ('([{'.includes(character)) {
      open.push(index);
    } else if (')]}'.includes(character)) {
      const start = open.pop();
      if (start !== undefined) groups.push([start, index + 1]);
    }
  }
  return groups;
}
