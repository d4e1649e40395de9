import { type Characters, codes, isBlank, isBreak, isSpaceOrEnd } from './characters.ts';
import { FoldedText } from './folded-text.ts';

/** A plain scalar that was read. */
export interface PlainScalar {
  readonly value: string;
  /** Whether it ends with a line, so that a key may follow. */
  readonly endsLine: boolean;
}

/** Characters that end a plain scalar in a flow collection. */
const flowSigns = ',?[]{}';

/** Reads a plain scalar whose lines have to be indented deeper than its parent, but within flow collections. */
export function scanPlain(
  characters: Characters,
  { parentIndent, isFlow }: { readonly parentIndent: number; readonly isFlow: boolean },
): PlainScalar {
  const text = new FoldedText();
  for (;;) {
    characters.require(4);
    if (characters.isDocumentMark('-') || characters.isDocumentMark('.')) break;
    if (characters.is('#')) break;
    const { offset } = characters;
    while (!isEnd(characters, isFlow)) characters.skip();
    if (characters.offset > offset) text.add(characters.since(offset));
    if (!isBlank(characters.code()) && !isBreak(characters.code())) break;
    skipSpace(characters, text, parentIndent + 1);
    if (!isFlow && characters.column <= parentIndent) break;
  }
  return { value: text.value, endsLine: text.hasBreak };
}

function isEnd(characters: Characters, isFlow: boolean): boolean {
  const code = characters.code();
  if (isSpaceOrEnd(code)) return true;
  if (characters.is(':') && isSpaceOrEnd(characters.code(1))) return true;
  return isFlow && code < 0x80 && flowSigns.includes(String.fromCharCode(code));
}

function skipSpace(characters: Characters, text: FoldedText, indent: number): void {
  for (let code = characters.code(); isBlank(code) || isBreak(code); code = characters.code()) {
    if (isBreak(code)) {
      text.addBreak(characters.skipBreak());
      continue;
    }
    if (text.hasBreak && characters.column < indent && code === codes.tab) {
      throw characters.broken('found a tab character that violates indentation');
    }
    text.addBlank(characters.take());
  }
}
