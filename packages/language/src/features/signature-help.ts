import { functionNamed, wordsOfFunction } from '../cel/function-list.ts';
import { celTokens, withoutComments } from '../cel/tokens.ts';
import { argumentTexts, openBrackets } from '../cel/unfinished.ts';
import { expressionAt } from '../lookup/expression-at.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position } from '../text/text-lines.ts';
import type { SignatureHelp } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';

/** The signatures of the function whose arguments are written at a place of an expression. */
export function signatureHelp(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): SignatureHelp | undefined {
  const found = expressionAt(document, position);
  if (found === undefined) return undefined;
  const { scalar, at, policy } = found;
  const tokens = withoutComments(celTokens(scalar.value)).filter(({ start }) => start < at);
  const dialect = context.dialectOf(policy);
  for (const { token, index } of [...openBrackets(tokens)].reverse()) {
    const name = tokens[index - 1];
    if (token.text !== '(' || name?.kind !== 'name') continue;
    const isMember = tokens[index - 2]?.text === '.';
    const qualified =
      isMember && tokens[index - 3]?.kind === 'name'
        ? functionNamed(dialect, `${tokens[index - 3]?.text}.${name.text}`)
        : undefined;
    const info = qualified ?? functionNamed(dialect, name.text);
    if (info === undefined) continue;
    const all = info.forms.filter((form) => qualified !== undefined || form.isMember === isMember);
    const spelled = info.name.split('.').at(-1);
    const head = `${isMember ? `${tokens[index - 3]?.text}.` : ''}${spelled}(`;
    const own = all.filter(({ label }) => label.startsWith(head));
    const forms = own.length > 0 ? own : all;
    if (forms.length === 0) continue;
    const count = argumentTexts(scalar.value, tokens.slice(index + 1)).length;
    const value = wordsOfFunction(dialect, info, forms[0]);
    const fitting = forms.findIndex(({ parameters }) => parameters.length >= count);
    return {
      signatures: forms.map(({ label, parameters }) => ({
        label,
        documentation: { kind: 'markdown', value },
        parameters: parameters.map((place) => ({ label: place })),
      })),
      activeSignature: Math.max(fitting, 0),
      activeParameter: count - 1,
    };
  }
  return undefined;
}
