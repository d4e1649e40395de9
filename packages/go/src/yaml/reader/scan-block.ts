import { type Characters, codes, isBlank, isBreak, isBreakOrEnd, isDigit } from './characters.ts';

/** The header after the sign of a block scalar. */
interface BlockHeader {
  /** Whether the breaks at the end are kept (`+`) or all left out (`-`); otherwise one is kept. */
  readonly chomping: '+' | '-' | '';
  /** The indentation relative to the parent; 0 if the first line determines it. */
  readonly indent: number;
}

/** Reads a block scalar, whose sign is here. */
export function scanBlock(
  characters: Characters,
  { parentIndent, isLiteral }: { readonly parentIndent: number; readonly isLiteral: boolean },
): string {
  const { chomping, indent: given } = scanHeader(characters);
  let indent = given === 0 ? 0 : Math.max(parentIndent, 0) + given;
  let breaks = '';
  const skipBreaks = (): void => {
    const skipped = scanBreaks(characters, indent);
    breaks += skipped.breaks;
    if (indent === 0) indent = Math.max(skipped.deepest, parentIndent + 1, 1);
  };
  skipBreaks();
  let value = '';
  let lastBreak = '';
  let wasIndented = false;
  while (characters.column === indent && characters.code() !== codes.end) {
    const isIndented = isBlank(characters.code());
    const isFolded = !isLiteral && !wasIndented && !isIndented && lastBreak === '\n';
    if (!isFolded) value += lastBreak;
    else if (breaks === '') value += ' ';
    value += breaks;
    breaks = '';
    wasIndented = isIndented;
    const { offset } = characters;
    while (!isBreakOrEnd(characters.code())) characters.skip();
    value += characters.since(offset);
    lastBreak = isBreak(characters.code()) ? characters.skipBreak() : '';
    skipBreaks();
  }
  if (chomping !== '-') value += lastBreak;
  if (chomping === '+') value += breaks;
  return value;
}

function scanHeader(characters: Characters): BlockHeader {
  characters.skip();
  let chomping = scanChomping(characters);
  const indent = scanIndent(characters);
  if (chomping === '' && indent > 0) chomping = scanChomping(characters);
  characters.skipBlanks();
  characters.skipComment();
  if (!isBreakOrEnd(characters.code())) {
    throw characters.broken('did not find expected comment or line break');
  }
  if (isBreak(characters.code())) characters.skipBreak();
  return { chomping, indent };
}

function scanChomping(characters: Characters): '+' | '-' | '' {
  const sign = characters.is('+') ? '+' : characters.is('-') ? '-' : '';
  characters.skip(sign.length);
  return sign;
}

function scanIndent(characters: Characters): number {
  if (!isDigit(characters.code())) return 0;
  if (characters.is('0')) throw characters.broken('found an indentation indicator equal to 0');
  return Number(characters.take());
}

/** Reads lines that are empty, and the indentation of the one behind them. */
function scanBreaks(
  characters: Characters,
  indent: number,
): { readonly breaks: string; readonly deepest: number } {
  let breaks = '';
  let deepest = 0;
  const isIndentation = (): boolean => indent === 0 || characters.column < indent;
  for (;;) {
    while (isIndentation() && characters.code() === codes.space) characters.skip();
    deepest = Math.max(deepest, characters.column);
    if (isIndentation() && characters.code() === codes.tab) {
      throw characters.broken('found a tab character where an indentation space is expected');
    }
    if (!isBreak(characters.code())) return { breaks, deepest };
    breaks += characters.skipBreak();
  }
}
