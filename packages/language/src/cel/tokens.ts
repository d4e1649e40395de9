export type CelTokenKind = 'name' | 'keyword' | 'number' | 'text' | 'symbol' | 'comment' | 'other';

/** A token with its bounds in UTF-16 units. */
export interface CelToken {
  readonly kind: CelTokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** False for a text whose closing quote is missing. */
  readonly isClosed: boolean;
}

const pattern =
  /(?<comment>\/\/[^\n]*)|(?<text>(?:[rR][bB]?|[bB][rR]?)?(?:"""(?:[^\\]|\\[\s\S])*?(?:"""|$)|'''(?:[^\\]|\\[\s\S])*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?))|(?<number>(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)[uU]?)|(?<name>[A-Za-z_][A-Za-z0-9_]*|`[^`\n]*`?)|(?<symbol>==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%])|(?<other>\S)/g;

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** The tokens of a text that may be no expression yet; every character but blanks belongs to one. */
export function celTokens(text: string): readonly CelToken[] {
  return [...text.matchAll(pattern)].map((match): CelToken => {
    const groups = match.groups ?? {};
    const [found] = match;
    const start = match.index;
    const known = (['comment', 'text', 'number', 'name', 'symbol'] as const).find(
      (name) => groups[name] !== undefined,
    );
    const kind = known === 'name' && keywords.has(found) ? 'keyword' : (known ?? 'other');
    const isClosed = kind !== 'text' || isClosedText(found);
    return { kind, text: found, start, end: start + found.length, isClosed };
  });
}

function isClosedText(text: string): boolean {
  const body = text.replace(/^[rRbB]{0,2}/, '');
  const triple = /^(?:"""|''')/.exec(body)?.[0];
  if (triple !== undefined) return body.length >= 6 && body.endsWith(triple);
  const [quote = ''] = body;
  if (body.length < 2 || !body.endsWith(quote)) return false;
  const slashes = /\\*$/.exec(body.slice(0, -1))?.[0].length ?? 0;
  return slashes % 2 === 0;
}

/** The token in which a place lies, or that ends there. */
export function tokenAt(tokens: readonly CelToken[], at: number): CelToken | undefined {
  const within = tokens.find(({ start, end }) => start <= at && at < end);
  if (within !== undefined && within.kind !== 'symbol') return within;
  const before = tokens.find(({ end }) => end === at);
  return before !== undefined && (before.kind !== 'symbol' || within === undefined)
    ? before
    : within;
}

/** The tokens without comments. */
export function withoutComments(tokens: readonly CelToken[]): readonly CelToken[] {
  return tokens.filter(({ kind }) => kind !== 'comment');
}
