import { byteLength, codePointCount, search } from '@kubeadmit/go';
import type { Issue } from './issue.ts';

/** An expression's text with the places of its lines. */
export class Source {
  /** The text of the expression. */
  readonly text: string;
  // Computed on demand, because positions of most expressions are never needed.
  #foundStarts: readonly number[] | undefined = undefined;
  #latest: { readonly position: number; readonly column: number } | undefined = undefined;

  constructor(text: string) {
    this.text = text;
  }

  get #lineStarts(): readonly number[] {
    this.#foundStarts ??= lineStartsOf(this.text);
    return this.#foundStarts;
  }

  /** The place of an offset in UTF-16 units: line from 1, column in code points from 0. */
  locate(position: number): { readonly line: number; readonly column: number } {
    const starts = this.#lineStarts;
    const line = search(starts.length, (at) => (starts[at] ?? 0) > position);
    const start = starts[line - 1] ?? 0;
    const latest = this.#latest;
    // Most places come after each other: a long line is counted once.
    const known =
      latest !== undefined && latest.position >= start && latest.position <= position
        ? latest
        : undefined;
    const column =
      (known?.column ?? 0) + codePointCount(this.text.slice(known?.position ?? start, position));
    this.#latest = { position, column };
    return { line, column };
  }

  /** Returns the offset of a position in UTF-16 units, or -1 if it does not exist. */
  offset({ line, column }: { readonly line: number; readonly column: number }): number {
    const start = this.#lineStarts[line - 1];
    if (start === undefined || column < 0) return -1;
    return start + [...this.text.slice(start)].slice(0, column).join('').length;
  }

  /** Returns a line (from 1) without its end, or `undefined` if it does not exist. */
  line(number: number): string | undefined {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return undefined;
    const next = this.#lineStarts[number];
    return this.text.slice(start, next === undefined ? undefined : next - 1);
  }

  /** An issue at an offset in UTF-16 units, or without place at -1. */
  issue(code: Issue['code'], position: number, message: string): Issue {
    const place = position < 0 ? { line: -1, column: -1 } : this.locate(position);
    return { code, message, position, ...place };
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

const maximalSnippetBytes = 16384;

/** Prints an issue as cel-go does: with its line of the source, and a caret, where it has a place. */
export function formatIssue(source: Source, issue: Issue): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
  const line = source.line(issue.line);
  if (line === undefined || issue.column < 0 || byteLength(line) > maximalSnippetBytes) return head;
  const characters = [...line.replaceAll('\t', ' ')];
  const dots = characters
    .slice(0, issue.column)
    .map((character) => (isWide(character) ? '．' : '.'))
    .join('');
  const at = characters[issue.column];
  const caret = at !== undefined && isWide(at) ? '＾' : '^';
  return `${head}\n | ${characters.join('')}\n | ${dots}${caret}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
