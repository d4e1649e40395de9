import { type CelToken, celTokens } from '../cel/tokens.ts';
import { openBrackets } from '../cel/unfinished.ts';
import { objectsOf } from '../policy/object-view.ts';
import { type ExpressionView, policiesIn } from '../policy/policy-view.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { loopsIn } from './loop-variables.ts';
import { type TokenType, tokenTypes } from './token-types.ts';

interface SemanticToken {
  readonly start: number;
  readonly length: number;
  readonly type: TokenType;
}

/** The tokens of all expressions of a file, in the protocol's form: five numbers each. */
export function semanticTokens(document: TextDocument): readonly number[] {
  const found = document.parts
    .flatMap((part) =>
      tokensOf(part).map((token) => ({ ...token, start: token.start + part.start })),
    )
    .sort((a, b) => a.start - b.start);
  const data: number[] = [];
  let before = { line: 0, character: 0 };
  for (const { start, length, type } of found) {
    const { line, character } = document.lines.positionAt(start);
    const delta = line === before.line ? character - before.character : character;
    data.push(line - before.line, delta, length, tokenTypes.indexOf(type), 0);
    before = { line, character };
  }
  return data;
}

const memory = Symbol('semantic tokens');

function tokensOf(part: Part): readonly SemanticToken[] {
  const known = part.memory.get(memory) as readonly SemanticToken[] | undefined;
  if (known !== undefined) return known;
  const found = objectsOf(part).flatMap((object) =>
    policiesIn(object).flatMap(({ expressions }) =>
      expressions.flatMap((view) => tokensIn(part, view)),
    ),
  );
  part.memory.set(memory, found);
  return found;
}

function tokensIn(part: Part, { node }: ExpressionView): readonly SemanticToken[] {
  const scalar = part.scalar(node);
  const tokens = celTokens(scalar.value);
  const locals = new Set(
    loopsIn(tokens).flatMap(({ variables }) => variables.map(({ text }) => text)),
  );
  return tokens.flatMap((token, i) => {
    const type = isFieldOfLiteral(tokens, i)
      ? 'property'
      : typeOf(token, [tokens[i - 2], tokens[i - 1], tokens[i + 1]], locals);
    return type === undefined
      ? []
      : pieces(part, scalar.toDocument(token.start), scalar.toDocument(token.end), type);
  });
}

function typeOf(
  { kind, text }: CelToken,
  [beforeThat, before, after]: readonly (CelToken | undefined)[],
  locals: ReadonlySet<string>,
): TokenType | undefined {
  switch (kind) {
    case 'comment':
      return 'comment';
    case 'text':
      return 'string';
    case 'number':
      return 'number';
    case 'keyword':
      return 'keyword';
    case 'symbol':
      return /^[()[\]{},.:]$/.test(text) ? undefined : 'operator';
    case 'name': {
      const isMember = before?.text === '.' || isOptionalMark(before, beforeThat);
      if (after?.text === '(') return isMember ? 'method' : 'function';
      if (after?.text === '{') return 'type';
      if (isMember) return 'property';
      return locals.has(text) ? 'parameter' : 'variable';
    }
    default:
      return undefined;
  }
}

/** Whether a name is that of a field in `Type{field: …}`. */
function isFieldOfLiteral(tokens: readonly CelToken[], at: number): boolean {
  if (
    tokens[at]?.kind !== 'name' ||
    tokens[at + 1]?.text !== ':' ||
    !/^[{,]$/.test(tokens[at - 1]?.text ?? '')
  )
    return false;
  const open = openBrackets(tokens.slice(0, at)).at(-1);
  return open?.token.text === '{' && tokens[open.index - 1]?.kind === 'name';
}

/** The mark of `a.?b`. */
function isOptionalMark(mark: CelToken | undefined, dot: CelToken | undefined): boolean {
  return mark?.text === '?' && dot?.text === '.' && dot.end === mark.start;
}

/** A stretch line by line, without blanks at the begins of lines. */
function pieces(
  { text }: Part,
  start: number,
  end: number,
  type: TokenType,
): readonly SemanticToken[] {
  const found: SemanticToken[] = [];
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const stop = newline === -1 || newline >= end ? end : newline;
    const blanks = /^[ \t]*/.exec(text.slice(at, stop))?.[0].length ?? 0;
    const length = text.slice(at + blanks, stop).trimEnd().length;
    if (length > 0) found.push({ start: at + blanks, length, type });
    at = stop + 1;
  }
  return found;
}
