import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  snippet,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, keymap, type Tooltip } from '@codemirror/view';
import type { EditorAnswer, EditorQuestion } from '../worker/language.ts';
import { markdownElement } from './markdown.ts';
import { offsetOf, positionOf } from './places.ts';

/** Asks the language service about a place of the file that is shown. */
export type AskAssistance = (question: Omit<EditorQuestion, 'file'>) => Promise<EditorAnswer>;

/** Completion, and hover information for the word under the pointer. */
export function assistance(ask: AskAssistance): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, ask)], icons: true }),
    keymap.of(completionKeymap),
    hoverTooltip(async (view, offset): Promise<Tooltip | null> => {
      const answer = await ask({ about: 'hover', position: positionOf(view.state.doc, offset) });
      if (answer === null || !('text' in answer)) return null;
      const { doc } = view.state;
      const from = answer.range === undefined ? offset : offsetOf(doc, answer.range.start);
      const to = answer.range === undefined ? offset : offsetOf(doc, answer.range.end);
      return {
        pos: from,
        end: Math.max(from, to),
        create: () => ({ dom: markdownElement(answer.text, 'known-of') }),
      };
    }),
  ];
}

const kinds: Readonly<Record<number, string>> = {
  2: 'method',
  3: 'function',
  5: 'property',
  6: 'variable',
  7: 'class',
  10: 'property',
  12: 'constant',
  13: 'enum',
  14: 'keyword',
  18: 'text',
};

async function complete(
  context: CompletionContext,
  ask: AskAssistance,
): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
  // Blanks at the begin of a line ask for nothing by themselves.
  if (!context.explicit && !/[\w."'/{@-]$/.test(before)) return null;
  const { doc } = context.state;
  const answer = await ask({ about: 'completion', position: positionOf(doc, context.pos) });
  if (answer === null || !('completions' in answer) || answer.completions.length === 0) return null;
  const [first] = answer.completions;
  const options = answer.completions.map(
    ({ label, kind, detail, words, edit, isSnippet }): Completion => ({
      label,
      detail,
      type: kinds[kind] ?? 'text',
      ...(words === '' ? {} : { info: () => markdownElement(words, 'known-of') }),
      apply: isSnippet
        ? snippet(edit.newText.replace(/\$(\d)/g, '#{$1}').replace(/\$\{(\d):?([^}]*)\}/g, '#{$2}'))
        : edit.newText,
    }),
  );
  const from = first === undefined ? context.pos : offsetOf(doc, first.edit.range.start);
  const to = first === undefined ? context.pos : offsetOf(doc, first.edit.range.end);
  return {
    from: Math.min(from, context.pos),
    to: Math.max(to, context.pos),
    options,
    validFor: /^[\w.]*$/,
  };
}
