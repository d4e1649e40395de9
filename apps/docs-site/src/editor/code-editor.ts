import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from 'vue';
import type { Problem } from '../worker/judgement.ts';
import type { AskAssistance } from './assistance.ts';
import type { Editor } from './editor.ts';
import type { FilePlace } from './file-place.ts';
import type { LineNote } from './line-note.ts';

/**
 * An editor for one file at a time. Until the real one is loaded, and where it cannot be, a plain field takes its
 * place. It is loaded when the page is idle, or when the field gets the focus.
 */
export const CodeEditor = defineComponent(
  (props: CodeEditorProps) => {
    const host = ref<HTMLElement>();
    const isReady = ref(false);
    let editor: Editor | undefined;
    let isGone = false;
    let turnTo = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => {
      turnTo = resolve;
    });
    onMounted(async () => {
      await Promise.race([isWanted, props.start.then(whenIdle)]);
      const { openEditor } = await import('./editor.ts');
      await nextTask();
      if (host.value === undefined || isGone) return;
      const { name, text, write, assist } = props;
      editor = openEditor(
        host.value,
        { name, text },
        write === undefined || assist === undefined
          ? undefined
          : { write: (changed) => props.write?.(changed), assist },
      );
      isReady.value = true;
      await nextTask();
      if (props.problems.length > 0) editor.mark(props.problems);
      await nextTask();
      if (props.notes.length > 0) editor.tell(props.notes);
    });
    onBeforeUnmount(() => {
      isGone = true;
      editor?.close();
    });
    watch([() => props.name, () => props.text], ([name, text]) => editor?.show(name, text));
    watch(
      () => props.place,
      (place) => {
        if (place?.file === props.name) editor?.goTo(place.line, place.column);
      },
      { flush: 'post' },
    );
    watch(
      () => props.problems,
      (problems) => editor?.mark(problems),
    );
    watch([() => props.notes, () => props.name], ([notes]) => editor?.tell(notes), {
      flush: 'post',
    });
    return () =>
      h('div', { class: 'code-editor', ref: host }, [
        isReady.value
          ? undefined
          : h('textarea', {
              'aria-label': `Text of ${props.name}`,
              spellcheck: false,
              readonly: props.write === undefined,
              value: props.text,
              onFocus: turnTo,
              onInput: (event: Event) => props.write?.((event.target as HTMLTextAreaElement).value),
            }),
      ]);
  },
  { props: ['name', 'text', 'problems', 'notes', 'place', 'start', 'write', 'assist'] },
);

/** The page draws and listens between the steps of something long. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const longestRest = 1_000;

/** Waits until recent changes are displayed and the browser is idle, where it reports that. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      if ('requestIdleCallback' in window)
        requestIdleCallback(() => resolve(), { timeout: longestRest });
      else setTimeout(resolve);
    });
  });
}

/** The file that an editor shows. */
export interface CodeEditorProps {
  readonly name: string;
  readonly text: string;
  /** The problems in this file. */
  readonly problems: readonly Problem[];
  /** The values of its expressions. */
  readonly notes: readonly LineNote[];
  /** The place to go to. */
  readonly place: FilePlace | undefined;
  /** Resolves when the editor may be loaded. */
  readonly start: Promise<void>;
  /** Takes a new text of the file; where it is absent, the text can only be read. */
  readonly write?: ((text: string) => void) | undefined;
  /** Returns the information of the language service about a position. */
  readonly assist?: AskAssistance | undefined;
}
