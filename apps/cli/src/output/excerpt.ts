import type { Place, Source } from '@kubeadmit/manifest';
import { printable, type Style } from './style.ts';

/** Lines before the marked one that are shown at most. */
const linesBefore = 6;

/** Characters of a line that are shown at most, around the mark. */
const widest = 160;

/**
 * The lines of a source that lead to a place, numbered, with a caret under it.
 *
 * `from` is the first line of the faulty part, such as the first line of an expression.
 */
export function excerpt(source: Source, place: Place, from: number, style: Style): string {
  const first = Math.max(1, Math.min(place.line, Math.max(from, place.line - linesBefore)));
  const margin = String(place.line).length;
  const rows: string[] = [];
  for (let number = first; number <= place.line; number++) {
    const isMarked = number === place.line;
    const { text } = window(source.line(number), isMarked ? place.column : 1);
    rows.push(`${style.dim(`${String(number).padStart(margin)} |`)} ${printable(text)}`);
  }
  const { before } = window(source.line(place.line), place.column);
  rows.push(`${style.dim(`${' '.repeat(margin)} |`)} ${blank(before)}${style.red('^')}`);
  return rows.join('\n');
}

function window(line: string, column: number): { text: string; before: string } {
  const characters = [...line];
  const start = column > widest ? column - Math.trunc(widest / 2) : 0;
  const shown = characters.slice(start, start + widest);
  const text = (start > 0 ? '…' : '') + shown.join('') + (shown.length === widest ? '…' : '');
  return { text, before: (start > 0 ? ' ' : '') + characters.slice(start, column - 1).join('') };
}

/** White space as wide as a text is on a terminal. */
function blank(text: string): string {
  return printable(text).replaceAll(/./gsu, (character) => {
    if (character === '\t') return '\t';
    if (/\p{Mark}/u.test(character)) return '';
    return isWide(character) ? '  ' : ' ';
  });
}

function isWide(character: string): boolean {
  return /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
    character,
  );
}
