import type { Value } from '@kubeadmit/cel';
import {
  type Manifest,
  type Path,
  readDocuments,
  Source,
  type TextEdit,
  type TextRange,
  valueAt,
} from '@kubeadmit/manifest';
import type { Fix } from './issue.ts';

/** A part of a string that is to be another one, in UTF-16 units of the string. */
export interface StringChange {
  readonly range: TextRange;
  readonly newText: string;
}

/**
 * A repair that changes parts of a string at a path, whatever it is written as: block, quotes or plain; undefined
 * where the file would not say afterwards what it should, so that only what is certain is offered.
 */
export function repairString(
  manifest: Manifest,
  path: Path,
  title: string,
  changes: readonly StringChange[],
): Fix | undefined {
  const value = valueAt(manifest.object as Value, path);
  if (typeof value !== 'string') return undefined;
  const wanted = changed(value, changes);
  const { text } = manifest.origin.source;
  const whole = manifest.range(path);
  const quote = text[whole.start];
  const inPlace = changes.map(
    ({ range, newText }): TextEdit => ({
      range: manifest.range(path, range),
      newText: escaped(newText, quote),
    }),
  );
  const anew: TextEdit[] = [{ range: whole, newText: JSON.stringify(wanted) }];
  for (const edits of [inPlace, anew]) {
    if (reads(manifest, path, edits, wanted)) return { title, edits };
  }
  return undefined;
}

function escaped(text: string, quote: string | undefined): string {
  if (quote === "'") return text.replaceAll("'", "''");
  return quote === '"' ? JSON.stringify(text).slice(1, -1) : text;
}

function changed(value: string, changes: readonly StringChange[]): string {
  let text = value;
  for (const { range, newText } of changes.toSorted((a, b) => b.range.start - a.range.start)) {
    text = text.slice(0, range.start) + newText + text.slice(range.end);
  }
  return text;
}

/** Whether a manifest's document has a value at a path once it is edited. */
function reads(
  { origin, path: root }: Manifest,
  path: Path,
  edits: readonly TextEdit[],
  wanted: string,
): boolean {
  const { source, start, end, index } = origin;
  const inside = edits.map(({ range, newText }) => ({
    range: { start: range.start - start, end: range.end - start },
    newText,
  }));
  const text = changed(source.text.slice(start, end), inside);
  const { documents, problems } = readDocuments(new Source(source.name, text));
  const document = documents[Math.min(index, documents.length - 1)];
  if (problems.length > 0 || document === undefined) return false;
  return valueAt(document.value, [...root, ...path]) === wanted;
}
