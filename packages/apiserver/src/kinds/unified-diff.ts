/** Lines that two texts share: where they start in each, and their number. */
interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Lines that differ: those of the old text and those of the new text, without the ends. */
interface Change {
  readonly a: readonly [start: number, end: number];
  readonly b: readonly [start: number, end: number];
}

/** The number of equal lines that a hunk shows before and after its changes. */
const context = 3;

/**
 * Compares two texts line by line, as field errors of kube-apiserver show changes (apimachinery `util/diff.Diff`).
 * Returns hunks of the unified format without file names; empty if the texts are equal.
 */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return hunksOf(changesBetween(a, b))
    .map((changes) => hunkText(changes, a, b))
    .join('');
}

function hunkText(changes: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [changes[0], changes.at(-1)] as [Change, Change];
  const lead = Math.min(context, first.a[0]);
  const tail = Math.min(context, a.length - last.a[1]);
  const lines: string[] = [];
  let shown = first.a[0] - lead;
  for (const change of changes) {
    for (const line of a.slice(shown, change.a[0])) lines.push(` ${line}`);
    for (const line of a.slice(...change.a)) lines.push(`-${line}`);
    for (const line of b.slice(...change.b)) lines.push(`+${line}`);
    shown = change.a[1];
  }
  for (const line of a.slice(shown, shown + tail)) lines.push(` ${line}`);
  const oldRange = rangeText(first.a[0] - lead, last.a[1] + tail);
  const newRange = rangeText(first.b[0] - lead, last.b[1] + tail);
  return [`@@ -${oldRange} +${newRange} @@`, ...lines, ''].join('\n');
}

// The lines count from one; an empty range names the line before it.
function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return length === 0 ? `${start},0` : `${start + 1},${length}`;
}

/** Groups changes whose contexts touch. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    const isNear = last !== undefined && change.a[0] - last.a[1] <= 2 * context;
    if (isNear) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function changesBetween(a: readonly string[], b: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [inA, inB] = [0, 0];
  for (const block of [...blocksOf(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (inA < block.a || inB < block.b) changes.push({ a: [inA, block.a], b: [inB, block.b] });
    [inA, inB] = [block.a + block.size, block.b + block.size];
  }
  return changes;
}

/**
 * How many pairs of lines are compared. The search takes cubic time for long texts with many equal lines; lines that it
 * does not reach count as different.
 */
const mostComparisons = 5_000_000;

/** Finds the longest block, then those before and after it (the algorithm of Ratcliff and Obershelp). */
function blocksOf(a: readonly string[], b: readonly string[]): readonly Block[] {
  const texts = { a, b, places: placesOf(b), comparisons: 0 };
  const between = (aStart: number, aEnd: number, bStart: number, bEnd: number): Block[] => {
    if (texts.comparisons > mostComparisons) return [];
    const block = longestBlock(texts, [aStart, aEnd], [bStart, bEnd]);
    if (block.size === 0) return [];
    return [
      ...between(aStart, block.a, bStart, block.b),
      block,
      ...between(block.a + block.size, aEnd, block.b + block.size, bEnd),
    ];
  };
  return between(0, a.length, 0, b.length);
}

/** Texts of as many lines ignore frequent lines as the start of a block. */
const longText = 200;

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [place]);
    else known.push(place);
  }
  if (lines.length < longText) return places;
  const limit = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, found]) => found.length <= limit));
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** How many pairs of lines were compared. */
  comparisons: number;
}

function longestBlock(
  texts: Texts,
  [aStart, aEnd]: readonly [number, number],
  [bStart, bEnd]: readonly [number, number],
): Block {
  const { a, b, places } = texts;
  let best: Block = { a: aStart, b: bStart, size: 0 };
  // The size of the block that ends with the previous line of `a`, by its last line in `b`.
  let sizes = new Map<number, number>();
  for (let at = aStart; at < aEnd && texts.comparisons <= mostComparisons; at++) {
    const next = new Map<number, number>();
    const found = places.get(a[at] as string) ?? [];
    texts.comparisons += 1 + found.length;
    for (const place of found) {
      if (place < bStart || place >= bEnd) continue;
      const size = (sizes.get(place - 1) ?? 0) + 1;
      next.set(place, size);
      if (size > best.size) best = { a: at - size + 1, b: place - size + 1, size };
    }
    sizes = next;
  }
  let [start, end] = [0, best.size];
  while (
    best.a - start > aStart &&
    best.b - start > bStart &&
    a[best.a - start - 1] === b[best.b - start - 1]
  )
    start++;
  while (best.a + end < aEnd && best.b + end < bEnd && a[best.a + end] === b[best.b + end]) end++;
  return { a: best.a - start, b: best.b - start, size: start + end };
}
