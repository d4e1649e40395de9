/** A line of a text beside another: kept, taken away or added. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Texts of more lines than this are not compared line by line: that would take too long. */
const mostLines = 1_500;

/** How the lines of a text become those of another, with as few changes as can be. */
export function diffLines(before: string, after: string): DiffLine[] {
  const from = before.trimEnd().split('\n');
  const to = after.trimEnd().split('\n');
  if (Math.max(from.length, to.length) > mostLines) {
    return [
      ...from.map((text) => ({ kind: 'removed', text }) as const),
      ...to.map((text) => ({ kind: 'added', text }) as const),
    ];
  }
  const common = commonLengths(from, to);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push({ kind: 'same', text: from[i] ?? '' });
      i += 1;
      j += 1;
    } else if (
      j >= to.length ||
      (i < from.length && at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      lines.push({ kind: 'removed', text: from[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: to[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** Returns the changed lines and some around them; `undefined` marks omitted lines. */
export function withoutFarLines(
  lines: readonly DiffLine[],
  around: number,
): (DiffLine | undefined)[] {
  const isNear = (index: number): boolean =>
    lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind !== 'same');
  const shown: (DiffLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) shown.push(line);
    else if (shown.length > 0 && shown.at(-1) !== undefined) shown.push(undefined);
  }
  if (shown.at(-1) === undefined) shown.pop();
  return shown;
}

/** The length of the longest common subsequence after each pair of lines. */
function commonLengths(from: readonly string[], to: readonly string[]): number[][] {
  const lengths = Array.from({ length: from.length + 1 }, () =>
    new Array<number>(to.length + 1).fill(0),
  );
  for (let i = from.length - 1; i >= 0; i--) {
    const row = lengths[i] as number[];
    for (let j = to.length - 1; j >= 0; j--) {
      row[j] =
        from[i] === to[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
