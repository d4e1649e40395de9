import { declaredVariables, declaresVariables } from '@kubeadmit/cel/syntax';
import { type CelToken, celTokens } from '../cel/tokens.ts';
import { openBrackets, outermost } from '../cel/unfinished.ts';
import { type ExpressionAt, rangeIn } from '../lookup/expression-at.ts';
import type { Range } from '../text/text-lines.ts';
import type { NamedThing, Occurrence } from './named-thing.ts';

/** A call of a macro that declares variables, by the indexes of its tokens. */
export interface Loop {
  /** The tokens that declare its variables. */
  readonly variables: readonly CelToken[];
  readonly from: number;
  readonly to: number;
}

/** The variable of a loop at a token, and where else it is used. */
export function loopOccurrences(
  found: ExpressionAt,
  token: CelToken,
  range: Range,
): NamedThing | undefined {
  const { scalar, document } = found;
  const tokens = celTokens(scalar.value);
  const loops = loopsIn(tokens);
  const owner = ownerOf(loops, token, tokens);
  if (owner === undefined) return undefined;
  const occurrences = tokens
    .filter(
      (each) =>
        each.text === token.text && each.kind === 'name' && ownerOf(loops, each, tokens) === owner,
    )
    .map(
      (each): Occurrence => ({
        uri: document.uri,
        range: rangeIn(found, each),
        isDefinition: owner.variables.some(({ start }) => start === each.start),
      }),
    );
  // Another name of the expression would be captured, or capture this one.
  const taken = new Set(
    tokens
      .filter(
        ({ kind, text }, i) =>
          kind === 'name' && text !== token.text && tokens[i - 1]?.text !== '.',
      )
      .map(({ text }) => text),
  );
  return { kind: 'loop variable', name: token.text, range, occurrences, taken };
}

/** The macros in which tokens declare variables. */
export function loopsIn(tokens: readonly CelToken[]): readonly Loop[] {
  return tokens.flatMap((token, i): readonly Loop[] => {
    if (
      token.kind !== 'name' ||
      !declaresVariables(token.text) ||
      tokens[i + 1]?.text !== '(' ||
      tokens[i - 1]?.text !== '.'
    )
      return [];
    const close = closingOf(tokens, i + 1);
    const commas = outermost(tokens.slice(i + 2, close)).filter(({ text }) => text === ',');
    const count = commas.length + 1;
    // While a call is written it has fewer arguments than it will have.
    const most = declaredVariables(token.text, count) || 1;
    const declared: CelToken[] = [];
    for (
      let at = i + 2;
      declared.length < most && tokens[at]?.kind === 'name' && tokens[at + 1]?.text === ',';
      at += 2
    ) {
      declared.push(tokens[at] as CelToken);
    }
    return [{ variables: declared, from: i + 1, to: close }];
  });
}

function closingOf(tokens: readonly CelToken[], open: number): number {
  const depth = openBrackets(tokens.slice(0, open + 1)).length;
  for (let at = open + 1; at < tokens.length; at++) {
    if (tokens[at]?.text === ')' && openBrackets(tokens.slice(0, at + 1)).length < depth) return at;
  }
  return tokens.length;
}

/** The innermost loop whose variable a token names. */
function ownerOf(
  loops: readonly Loop[],
  token: CelToken,
  tokens: readonly CelToken[],
): Loop | undefined {
  const at = tokens.findIndex(({ start }) => start === token.start);
  if (tokens[at - 1]?.text === '.') return undefined;
  return loops.findLast(
    ({ variables, from, to }) =>
      from < at && at < to && variables.some(({ text }) => text === token.text),
  );
}
