import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  type Tooltip,
  WidgetType,
} from '@codemirror/view';
import type { LineNote } from './line-note.ts';

/** Replaces the notes beside the lines. */
export const setLineNotes = StateEffect.define<readonly LineNote[]>();

const longest = 60;

class ValueWidget extends WidgetType {
  readonly #note: LineNote;

  constructor(note: LineNote) {
    super();
    this.#note = note;
  }

  override eq(other: ValueWidget): boolean {
    return other.#note.text === this.#note.text && other.#note.isError === this.#note.isError;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = this.#note.isError ? 'line-value is-error' : 'line-value';
    const { text } = this.#note;
    element.textContent = ` = ${text.length > longest ? `${text.slice(0, longest)}…` : text}`;
    return element;
  }
}

interface Notes {
  readonly notes: readonly LineNote[];
  readonly decorations: DecorationSet;
}

const notesField = StateField.define<Notes>({
  create: () => ({ notes: [], decorations: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setLineNotes)) {
        return { notes: effect.value, decorations: decorate(effect.value, transaction.state) };
      }
    }
    if (!transaction.docChanged) return value;
    return { notes: [], decorations: value.decorations.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function decorate(notes: readonly LineNote[], { doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const note of notes) {
    if (note.line > doc.lines) continue;
    const { from, to } = doc.line(note.line);
    const kind = note.coverage.replace(' ', '-');
    builder.add(
      from,
      from,
      Decoration.line({ class: `covered-${kind}`, attributes: { title: titles[note.coverage] } }),
    );
    if (note.text !== '') {
      builder.add(to, to, Decoration.widget({ widget: new ValueWidget(note), side: 1 }));
    }
  }
  return builder.finish();
}

const titles = {
  both: 'true for some objects and false for others',
  'only true': 'true for every object',
  'only false': 'false for every object',
  value: '',
} as const;

const hover = hoverTooltip((view, position): Tooltip | null => {
  const { doc } = view.state;
  const { notes } = view.state.field(notesField);
  const number = doc.lineAt(position).number;
  const note = notes.findLast(({ line }) => line <= number);
  if (note === undefined || note.parts.length === 0 || !belongsTo(view.state, note.line, number)) {
    return null;
  }
  const word = view.state.wordAt(position);
  const text = word === null ? '' : doc.sliceString(word.from, word.to);
  const named = note.parts.filter(([expression]) => text !== '' && expression.includes(text));
  return {
    pos: position,
    create: () => ({ dom: partsTable(named.length > 0 ? named : note.parts) }),
  };
});

/** Whether a line belongs to the same block of text as the line in which an expression begins. */
function belongsTo({ doc }: EditorState, first: number, number: number): boolean {
  if (first === number) return true;
  const indent = (line: number): number => /^\s*/.exec(doc.line(line).text)?.[0].length ?? 0;
  for (let line = first + 1; line <= number; line++) if (indent(line) < indent(first)) return false;
  return true;
}

function partsTable(parts: LineNote['parts']): HTMLElement {
  const list = document.createElement('dl');
  list.className = 'value-parts';
  for (const [expression, value] of parts) {
    const term = document.createElement('dt');
    term.textContent = expression;
    const definition = document.createElement('dd');
    definition.textContent = value;
    list.append(term, definition);
  }
  return list;
}

/** Values next to lines, shades for covered parts, and the values of parts under the pointer. */
export const lineNotes: Extension = [notesField, hover];
