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

/**
 * A repair that replaces a part of a string at a path (by default all of it), in any YAML style: block, quoted or
 * plain. Undefined if the file would not contain the intended value afterwards, so that only certain repairs are
 * offered. The range is in UTF-16 units of the string.
 */
export function repairString(
  manifest: Manifest,
  path: Path,
  { newText, range: part }: { readonly newText: string; readonly range?: TextRange },
  title: string = `write \`${newText}\``,
): Fix | undefined {
  const value = valueAt(manifest.object as Value, path);
  if (typeof value !== 'string') return undefined;
  const range = part ?? { start: 0, end: value.length };
  const wanted = edited(value, [{ range, newText }]);
  const whole = manifest.range(path);
  const quote = manifest.origin.source.text[whole.start];
  const inPlace = { range: manifest.range(path, range), newText: escaped(newText, quote) };
  const anew = { range: whole, newText: JSON.stringify(wanted) };
  const edit = [inPlace, anew].find((each) => reads(manifest, path, each, wanted));
  return edit && { title, edits: [edit] };
}

function escaped(text: string, quote: string | undefined): string {
  if (quote === "'") return text.replaceAll("'", "''");
  return quote === '"' ? JSON.stringify(text).slice(1, -1) : text;
}

/** A text with edits made, none of which overlaps another. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.range.start - a.range.start)
    .reduce(
      (before, { range, newText }) =>
        before.slice(0, range.start) + newText + before.slice(range.end),
      text,
    );
}

/** Whether a manifest's document has a value at a path once it is edited. */
function reads(
  { origin, path: root }: Manifest,
  path: Path,
  { range, newText }: TextEdit,
  wanted: string,
): boolean {
  const { source, start, end, index } = origin;
  const inside = { range: { start: range.start - start, end: range.end - start }, newText };
  const text = edited(source.text.slice(start, end), [inside]);
  const { documents, problems } = readDocuments(new Source(source.name, text));
  const document = documents[Math.min(index, documents.length - 1)];
  if (problems.length > 0 || document === undefined) return false;
  return valueAt(document.value, [...root, ...path]) === wanted;
}
