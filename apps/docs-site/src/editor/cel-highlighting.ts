import { type Extension, Prec, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { expressionRanges } from './expression-ranges.ts';

const marks = {
  keyword: Decoration.mark({ class: 'cel-keyword' }),
  string: Decoration.mark({ class: 'cel-string' }),
  number: Decoration.mark({ class: 'cel-number' }),
  function: Decoration.mark({ class: 'cel-function' }),
  variable: Decoration.mark({ class: 'cel-variable' }),
} as const;

const token =
  /(?<string>[rRbB]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:true|false|null|in)\b)|(?<function>\b[A-Za-z_]\w*(?=\())|(?<variable>\b(?:object|oldObject|request|params|namespaceObject|variables|authorizer|self|oldSelf|Object|JSONPatch|images|resource|http)\b)/g;

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of expressionRanges(view.state.doc)) {
    const inView = view.visibleRanges.some((range) => range.from <= to && from <= range.to);
    if (!inView) continue;
    for (const found of view.state.doc.sliceString(from, to).matchAll(token)) {
      const kind = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
      const start = from + found.index;
      const mark = marks[kind as keyof typeof marks];
      builder.add(start, start + found[0].length, mark);
    }
  }
  return builder.finish();
}

/** Colours the CEL within YAML: the values of fields that hold expressions. */
export const celWithinYaml: Extension = Prec.high(
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = decorate(view);
      }

      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
);
