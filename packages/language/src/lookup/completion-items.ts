import type { FieldInfo } from '../fields/field-info.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { type CompletionItem, completionKinds, type Range } from '../workspace/protocol.ts';
import { isDeprecated, wordsOf } from './fields-of-type.ts';

/** A field, with its description. */
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

/**
 * Whether the letters that are written are meant for a label: it begins with them, holds them (three at least), or
 * they are begins of its words: `imP` for `imagePullPolicy`.
 */
function isLike(label: string, word: string): boolean {
  if (word === '') return true;
  const [whole, letters] = [label.toLowerCase(), word.toLowerCase()];
  if (whole.startsWith(letters) || (letters.length >= 3 && whole.includes(letters))) return true;
  return fits(label, 0, letters, 0, true);
}

function fits(label: string, at: number, letters: string, done: number, isStart: boolean): boolean {
  if (done === letters.length) return true;
  for (let next = at; next < label.length; next++) {
    const isNext = next === at && !isStart;
    if (!isNext && !beginsWord(label, next)) continue;
    if (
      label[next]?.toLowerCase() === letters[done] &&
      fits(label, next + 1, letters, done + 1, false)
    )
      return true;
  }
  return false;
}

function beginsWord(label: string, at: number): boolean {
  const [before = '', letter = ''] = [label[at - 1], label[at]];
  if (at === 0 || /[._\-/]/.test(before)) return true;
  return /[A-Z]/.test(letter) && !/[A-Z]/.test(before);
}
