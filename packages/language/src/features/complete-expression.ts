import { type CursorContext, contextAt } from '../cel/unfinished.ts';
import { isDeprecated } from '../fields/fields-of-type.ts';
import type { CompletionItem } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { ExpressionAt } from './expression-at.ts';
import { literalFields } from './expression-proposals/literals.ts';
import { members } from './expression-proposals/members.ts';
import { isLoopName, names } from './expression-proposals/names.ts';
import type { Proposal } from './expression-proposals/proposal.ts';
import { texts } from './expression-proposals/texts.ts';
import { isLike } from './is-like.ts';

/** What can be written at a place of an expression. */
export function completeExpression(
  context: ServiceContext,
  found: ExpressionAt,
): readonly CompletionItem[] {
  const { scalar, at, document, part } = found;
  const cursor = contextAt(scalar.value, at);
  const proposals = proposalsFor(context, found, cursor);
  const range = document.range(
    part,
    scalar.toDocument(cursor.start),
    scalar.toDocument(cursor.end),
  );
  return proposals
    .filter(({ label }) => isLike(label, cursor.word))
    .map(({ label, kind, detail, words, insert = label, isSnippet = false, rank }) => ({
      label,
      kind,
      ...(detail === undefined ? {} : { detail }),
      ...(words === undefined
        ? {}
        : { documentation: { kind: 'markdown', value: words } as const }),
      sortText: `${rank}${label}`,
      ...(isDeprecated(words) ? { tags: [1] } : {}),
      insertTextFormat: isSnippet ? 2 : 1,
      textEdit: { range, newText: insert },
    }));
}

function proposalsFor(
  context: ServiceContext,
  found: ExpressionAt,
  cursor: CursorContext,
): readonly Proposal[] {
  switch (cursor.kind) {
    case 'none':
      return [];
    case 'field':
      return literalFields(context, found, cursor);
    case 'name':
      return isLoopName(found, cursor) ? [] : names(context, found, cursor);
    case 'member':
      return members(context, found, cursor);
    case 'text':
      return texts(context, found, cursor);
    default:
      return cursor.kind satisfies never;
  }
}
