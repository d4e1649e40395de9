import { groupBy } from '@kubeadmit/base';
import { type Position, type Range, TextLines } from '../text/text-lines.ts';
import { Part, splitParts } from './part.ts';

/** A file as an editor shows it. */
export class TextDocument {
  readonly uri: string;
  /** How messages call it. */
  readonly name: string;
  readonly lines: TextLines;
  readonly parts: readonly Part[];

  /** Reuses the unchanged parts of an earlier text of the same file. */
  constructor(uri: string, name: string, text: string, before?: TextDocument) {
    this.uri = uri;
    this.name = name;
    this.lines = new TextLines(text);
    const known = groupBy(before?.parts ?? [], (part) => part.text);
    let start = 0;
    this.parts = splitParts(text).map((partText) => {
      const { line } = this.lines.positionAt(start);
      const part = known.get(partText)?.shift() ?? new Part(name, partText, start, line);
      part.move(start, line);
      start += partText.length;
      return part;
    });
  }

  get text(): string {
    return this.lines.text;
  }

  /** The document of the file that a position lies in, and where in its text. */
  at(position: Position): { readonly part: Part; readonly offset: number } {
    const offset = this.lines.offsetAt(position);
    const part = this.parts.findLast(({ start }) => start <= offset) ?? (this.parts[0] as Part);
    return { part, offset: offset - part.start };
  }

  /** A stretch of a part's text as a range of the file. */
  range(part: Part, start: number, end: number): Range {
    return this.lines.rangeOf(part.start + start, part.start + end);
  }
}
