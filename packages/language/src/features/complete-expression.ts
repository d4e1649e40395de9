import { type CursorContext, contextAt } from '../cel/unfinished.ts';
import { completionItems } from '../lookup/completion-items.ts';
import { type ExpressionAt, rangeIn } from '../lookup/expression-at.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { CompletionItem } from '../workspace/protocol.ts';
import { literalFields } from './expression-proposals/literals.ts';
import { members } from './expression-proposals/members.ts';
import { isLoopName, names } from './expression-proposals/names.ts';
import { texts } from './expression-proposals/texts.ts';

/** Returns completions at a position of an expression. */
export function completeExpression(
  context: ServiceContext,
  found: ExpressionAt,
): readonly CompletionItem[] {
  const cursor = contextAt(found.scalar.value, found.at);
  const proposals = proposalsFor(context, found, cursor);
  return completionItems(proposals, cursor.word, rangeIn(found, cursor));
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
