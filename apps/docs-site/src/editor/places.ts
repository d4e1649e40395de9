import type { Text } from '@codemirror/state';
import type { Position } from '@kubeadmit/language';

/** A place as the language service counts: from 0, in UTF-16 units. */
export function positionOf(doc: Text, offset: number): Position {
  const { number, from } = doc.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

/** The index of a place in a text; one that it has no more is its end. */
export function offsetOf(doc: Text, { line, character }: Position): number {
  if (line + 1 > doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}
