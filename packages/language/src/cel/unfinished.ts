import { type CelToken, celTokens, withoutComments } from './tokens.ts';

/** The name that is inserted at the cursor to complete a text. */
export const placeholder = 'kubeadmitCursor';

/** The text around a cursor in an expression. */
export interface CursorContext {
  /**
   * `name` for a name at the begin of an operand, `member` behind a dot, `text` in quotes, `field` for the name of a field in
   * `Type{…}`, `none` where nothing can be named.
   */
  readonly kind: 'name' | 'member' | 'text' | 'field' | 'none';
  /** The word at the cursor, and its range. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Texts up to the cursor, made good with the placeholder in its place: the first that parses is the best. */
  readonly candidates: readonly string[];
  readonly literalType?: string;
  /** The names of the fields that it has already. */
  readonly given?: readonly string[];
}

/** Finds the kind of token that is being written at a position of an expression. */
export function contextAt(text: string, at: number): CursorContext {
  const tokens = celTokens(text);
  const inside = tokens.find(({ start, end }) => start < at && at < end);
  const ending = tokens.find(({ end }) => end === at);
  const current =
    inside ?? (ending?.kind === 'name' || ending?.kind === 'keyword' ? ending : undefined);
  if (
    current?.kind === 'comment' ||
    tokens.some(({ kind, start, end }) => kind === 'comment' && start < at && at <= end)
  ) {
    return nothing(at);
  }
  const open = inside?.kind === 'text' ? inside : openText(ending);
  if (open !== undefined) return inText(text, open, at, tokens);
  if (current?.kind === 'number' || ending?.kind === 'number') return nothing(at);
  const word = current?.kind === 'name' || current?.kind === 'keyword' ? current : undefined;
  const start = word?.start ?? at;
  const before = withoutComments(tokens.filter(({ end }) => end <= start));
  const last = before.at(-1);
  const written = text.slice(start, at);
  const base = { word: written, start, end: word?.end ?? at };
  if (
    last?.text === '.' ||
    (last?.text === '?' && before.at(-2)?.text === '.' && last.start === before.at(-2)?.end)
  ) {
    return { ...base, kind: 'member', candidates: candidatesFor(text, before, start) };
  }
  const literal = literalAt(before);
  if (literal !== undefined && /^[{,]$/.test(last?.text ?? '')) {
    return { ...base, kind: 'field', candidates: [], ...literal };
  }
  if (last !== undefined && endsOperand(last)) return nothing(at);
  return { ...base, kind: 'name', candidates: candidatesFor(text, before, start) };
}

function nothing(at: number): CursorContext {
  return { kind: 'none', word: '', start: at, end: at, candidates: [] };
}

function openText(token: CelToken | undefined): CelToken | undefined {
  return token?.kind === 'text' && !token.isClosed ? token : undefined;
}

function inText(
  text: string,
  token: CelToken,
  at: number,
  tokens: readonly CelToken[],
): CursorContext {
  const quote = /^[rRbB]{0,2}("""|'''|"|')/.exec(token.text)?.[0] ?? '"';
  const start = token.start + quote.length;
  if (at < start) return nothing(at);
  const isClosed = token.isClosed;
  const end = isClosed ? token.end - quote.replace(/^[rRbB]+/, '').length : token.end;
  const before = withoutComments(tokens.filter((each) => each.end <= token.start));
  return {
    kind: 'text',
    word: text.slice(start, at),
    start,
    end: Math.max(end, at),
    candidates: [
      ...(isClosed ? [`${text.slice(0, token.start)}${placeholder}${text.slice(token.end)}`] : []),
      ...candidatesFor(text, before, token.start),
    ],
  };
}

function endsOperand({ kind, text }: CelToken): boolean {
  return (
    kind === 'name' ||
    kind === 'number' ||
    kind === 'text' ||
    /^[)\]}]$/.test(text) ||
    /^(?:true|false|null)$/.test(text)
  );
}

/** The literal `Type{…}` whose fields are being written. */
function literalAt(
  before: readonly CelToken[],
): (Pick<CursorContext, 'literalType' | 'given'> & { literalType: string }) | undefined {
  const open = openBrackets(before).at(-1);
  if (open?.token.text !== '{') return undefined;
  let name = '';
  let at = open.index - 1;
  for (; at >= 0; at--) {
    const token = before[at] as CelToken;
    const wanted = name === '' || name.startsWith('.') ? token.kind === 'name' : token.text === '.';
    if (!wanted) break;
    name = token.text + name;
  }
  if (!/^[A-Za-z_]/.test(name)) return undefined;
  const inner = outermost(before.slice(open.index + 1));
  const given = inner.filter(({ kind }, i) => kind === 'name' && inner[i + 1]?.text === ':');
  return { literalType: name, given: given.map(({ text }) => text) };
}

interface OpenBracket {
  readonly token: CelToken;
  readonly index: number;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Returns the open brackets after tokens; a closing bracket without an opening one is ignored. */
export function openBrackets(tokens: readonly CelToken[]): readonly OpenBracket[] {
  const open: OpenBracket[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'symbol') continue;
    if (Object.hasOwn(closing, token.text)) open.push({ token, index });
    else if (/^[)\]}]$/.test(token.text)) {
      const fitting = open.findLastIndex((each) => closing[each.token.text] === token.text);
      if (fitting !== -1) open.length = fitting;
    }
  }
  return open;
}

/**
 * Variants of the text with the placeholder after some tokens: first all tokens before it, then only those that
 * determine the meaning of names.
 */
function candidatesFor(
  text: string,
  before: readonly CelToken[],
  start: number,
): readonly string[] {
  const first = before[0]?.start ?? start;
  const whole = `${text.slice(first, start)}${placeholder}${closersOf(before)}`;
  return [whole, skeleton(text, before)];
}

/** Returns the text that closes the open brackets and conditions after tokens. */
function closersOf(tokens: readonly CelToken[]): string {
  const open = openBrackets(tokens);
  let closers = pendingConditions(tokens.slice((open.at(-1)?.index ?? -1) + 1));
  for (const [i, { token, index }] of [...open].reverse().entries()) {
    if (token.text === '{' && needsValue(tokens, index)) closers += ': null';
    closers += closing[token.text];
    const outer = open[open.length - 2 - i]?.index ?? -1;
    closers += pendingConditions(tokens.slice(outer + 1, index));
  }
  return closers;
}

/** The tokens that are in no brackets of these tokens, those brackets included. */
export function outermost(tokens: readonly CelToken[]): readonly CelToken[] {
  let depth = 0;
  return tokens.filter(({ text }) => {
    if (/^[)\]}]$/.test(text)) depth = Math.max(depth - 1, 0);
    const isOutside = depth === 0;
    if (/^[([{]$/.test(text)) depth++;
    return isOutside;
  });
}

/** `: null` for each `?` of these tokens, at their own depth, that waits for its colon. */
function pendingConditions(tokens: readonly CelToken[]): string {
  let pending = 0;
  const outer = outermost(tokens);
  for (const [i, { text, end }] of outer.entries()) {
    if (text === '?') {
      const before = outer[i - 1];
      // `.?` and `[?` are not conditions.
      const isMark = before === undefined || (before.text === '.' && before.end === end - 1);
      if (!isMark && !/^[[{,]$/.test(before?.text ?? '')) pending++;
    } else if (text === ':') pending = Math.max(pending - 1, 0);
  }
  return ' : null'.repeat(pending);
}

/** Whether the last entry of a literal in braces has no value yet. */
function needsValue(tokens: readonly CelToken[], open: number): boolean {
  return (
    outermost(tokens.slice(open + 1)).findLast(({ text }) => /^[,:]$/.test(text))?.text !== ':'
  );
}

/**
 * The operand at the cursor within the macros around it, everything else left out:
 * `a && b.all(c, c.x > 1 && c.` is `b.all(c, c.PLACEHOLDER)`.
 */
function skeleton(text: string, before: readonly CelToken[]): string {
  let inner = `${operandText(text, before)}${placeholder}`;
  for (const { token, index } of [...openBrackets(before)].reverse()) {
    if (token.text !== '(') continue;
    const name = before[index - 1];
    if (name?.kind !== 'name') continue;
    const values = argumentTexts(text, before.slice(index + 1));
    // All but the argument that is being written.
    const given = values.slice(0, -1);
    if (given.length === 0) continue;
    const target = operandText(text, before.slice(0, index - 1));
    inner = `${target}${name.text}(${[...given, inner].join(', ')})`;
  }
  return inner;
}

/** `a.b[0].` at the end of tokens: names, indexes and calls, each behind a dot. */
function operandText(text: string, tokens: readonly CelToken[]): string {
  let at = tokens.length - 1;
  if (tokens[at]?.text === '?') at--;
  if (tokens[at]?.text !== '.') return '';
  const end = tokens.at(-1)?.end ?? 0;
  let start = end;
  for (at--; at >= 0; ) {
    const token = tokens[at] as CelToken;
    if (token.text === ')' || token.text === ']' || token.text === '}') {
      at = openingOf(tokens, at);
      start = tokens[at]?.start ?? start;
      if (at < 0) return '';
      at--;
      if (tokens[at]?.kind !== 'name' && token.text !== ']') return text.slice(start, end);
      if (tokens[at]?.kind !== 'name') continue;
    }
    if (tokens[at]?.kind !== 'name' && tokens[at]?.kind !== 'text') break;
    start = tokens[at]?.start ?? start;
    at--;
    if (tokens[at]?.text === '?' && tokens[at - 1]?.text === '.') at--;
    if (tokens[at]?.text !== '.') break;
    start = tokens[at]?.start ?? start;
    at--;
  }
  return text.slice(start, end).replace(/^\.(?=\w)/, '');
}

function openingOf(tokens: readonly CelToken[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const { text, kind } = tokens[at] as CelToken;
    if (kind !== 'symbol') continue;
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text) && --depth === 0) return at;
  }
  return -1;
}

/** The texts of arguments at their own depth; the last one may be empty. */
export function argumentTexts(text: string, tokens: readonly CelToken[]): readonly string[] {
  const values: string[] = [];
  let start = tokens[0]?.start ?? 0;
  for (const comma of outermost(tokens).filter((token) => token.text === ',')) {
    values.push(text.slice(start, comma.start).trim());
    start = comma.end;
  }
  values.push(text.slice(start, tokens.at(-1)?.end ?? start).trim());
  return values;
}
