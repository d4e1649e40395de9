import type { FieldInfo } from '../fields/field-info.ts';
import { isDeprecated, wordsOf } from '../fields/fields-of-type.ts';
import type { ServiceContext } from '../service-context.ts';
import { type CompletionItem, completionKinds, type Range } from '../workspace/protocol.ts';
import { isLike } from './is-like.ts';
import type { Proposal } from './proposal.ts';

/** A field, with what it is for. */
export function fieldProposal(context: ServiceContext, info: FieldInfo): Proposal {
  return {
    label: info.name,
    detail: info.about,
    words: wordsOf(context, info),
    kind: completionKinds.field,
    rank: 0,
  };
}

/** The proposals that the letters which are written may be meant for, each in the place of a range. */
export function completionItems(
  proposals: readonly Proposal[],
  word: string,
  range: Range,
): readonly CompletionItem[] {
  return proposals
    .filter(({ label }) => isLike(label, word))
    .map(({ label, kind, detail, words, insert = label, isSnippet = false, rank = 1 }) => ({
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
