import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Problem } from '../worker/judgement.ts';
import type { AskAssistance } from './assistance.ts';
import type { LineNote } from './line-note.ts';
import { lineNotes, setLineNotes } from './line-notes.ts';
import { manifestLanguage } from './manifest-language.ts';
import { offsetOf } from './places.ts';
import { editorColours, editorTheme } from './theme.ts';

/** An editor in a page. */
export interface Editor {
  /** Shows a file; in the file that is already shown, only the differences are replaced. */
  show(name: string, text: string): void;
  /** Marks the problems of the file. */
  mark(problems: readonly Problem[]): void;
  /** Shows the values of the file's expressions beside its lines. */
  tell(notes: readonly LineNote[]): void;
  /** Puts the cursor to a place, in sight; lines and columns count from 1. */
  goTo(line: number, column: number): void;
  close(): void;
}

/** The callbacks of an editor. */
export interface EditorListener {
  /** Receives the text after each change. */
  readonly write: (text: string) => void;
  /** Returns the information of the language service about a position. */
  readonly assist: AskAssistance;
}

/** The file that an editor shows. */
export interface ShownFile {
  readonly name: string;
  readonly text: string;
}

/** Opens an editor for a file within an element; without a listener, its text is read-only. */
export function openEditor(
  parent: HTMLElement,
  file: ShownFile,
  listener: EditorListener | undefined,
): Editor {
  const states = new Map<string, EditorState>();
  const label = new Compartment();
  const help = new Compartment();
  let helping: Extension = [];
  let shown = file.name;
  let isFollowing = false;
  const extensions = [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    manifestLanguage,
    lineNotes,
    syntaxHighlighting(editorColours),
    editorTheme,
    EditorView.lineWrapping,
    // As in CodeMirror, Tab leaves the editor after Escape, so that keyboard users are not trapped.
    keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !isFollowing) listener?.write(update.state.doc.toString());
    }),
    EditorState.readOnly.of(listener === undefined),
  ];
  const stateOf = (name: string, text: string): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        ...extensions,
        help.of(helping),
        label.of(
          EditorView.contentAttributes.of({
            'aria-label': `Text of ${name}`,
            'aria-description': 'Press Escape, then Tab to leave the editor.',
            tabindex: '0',
          }),
        ),
      ],
    });
  const view = new EditorView({ parent, state: stateOf(file.name, file.text) });
  // Completion and hover are loaded when the editor gets the focus.
  const loadHelp = (): void => {
    if (listener === undefined) return;
    const { assist } = listener;
    parent.removeEventListener('focusin', loadHelp);
    parent.removeEventListener('pointerenter', loadHelp);
    void import('./assistance.ts').then(({ assistance }) => {
      helping = assistance(assist);
      view.dispatch({ effects: help.reconfigure(helping) });
    });
  };
  parent.addEventListener('focusin', loadHelp);
  parent.addEventListener('pointerenter', loadHelp);
  return {
    show(name, text) {
      if (name !== shown) {
        states.set(shown, view.state);
        const kept = states.get(name);
        view.setState(kept?.doc.toString() === text ? kept : stateOf(name, text));
        view.dispatch({ effects: help.reconfigure(helping) });
        shown = name;
      } else if (view.state.doc.toString() !== text) {
        isFollowing = true;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
        isFollowing = false;
      }
    },
    mark(problems) {
      const { doc } = view.state;
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(problem, doc)),
        ),
      );
    },
    tell: (notes) => view.dispatch({ effects: setLineNotes.of(notes) }),
    goTo(line, column) {
      const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const anchor = Math.min(from + column - 1, to);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function diagnosticOf(problem: Problem, doc: Text): Diagnostic {
  const { line, column, message, severity, range, fixes = [] } = problem;
  const actions = fixes.map(({ title, edits }) => ({
    name: title,
    apply: (view: EditorView): void => {
      const changes = edits.map((edit) => ({
        from: offsetOf(view.state.doc, edit.range.start),
        to: offsetOf(view.state.doc, edit.range.end),
        insert: edit.newText,
      }));
      view.dispatch({ changes });
    },
  }));
  if (range !== undefined) {
    const [from, to] = [offsetOf(doc, range.start), offsetOf(doc, range.end)];
    return { from, to: Math.max(from, to), severity, message, actions };
  }
  const { from: start, to: end } = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  const from = Math.min(start + Math.max((column ?? 1) - 1, 0), end);
  const word = /^[\w.]+/.exec(doc.sliceString(from, end))?.[0].length ?? 0;
  const to = column === undefined ? end : Math.min(from + Math.max(word, 1), end);
  return { from: Math.min(from, to), to, severity, message };
}
