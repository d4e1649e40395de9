import { computed, defineComponent, onBeforeUnmount, onMounted, ref } from 'vue';
import type { AskAssistance } from '../editor/assistance.ts';
import { CodeEditor } from '../editor/code-editor.ts';
import { importFiles, openShared } from './actions.ts';
import { takeDroppedFiles } from './dropped-files.ts';
import { FileTabs } from './file-tabs.tsx';
import { Judgements } from './judgements.tsx';
import { lineNotes } from './line-notes.ts';
import { RequestForm } from './request-form.tsx';
import type { PlaygroundModel } from './state.ts';
import { keyOfProblem } from './told-problem.ts';
import { Toolbar } from './toolbar.tsx';
import './playground.css';

type AssistQuestion = Parameters<AskAssistance>[0];

/** The playground: files on one side, their results on the other. */
export const Playground = defineComponent(
  ({ model }: { readonly model: PlaygroundModel }) => {
    const { state } = model;
    const isDropping = ref(false);
    const openLink = (): void => {
      void openShared(model);
    };
    let stopDropping = (): void => {};
    onMounted(() => {
      stopDropping = takeDroppedFiles(
        (files) => void importFiles(model, files),
        (dropping) => {
          isDropping.value = dropping;
        },
      );
      addEventListener('hashchange', openLink);
    });
    onBeforeUnmount(() => {
      removeEventListener('hashchange', openLink);
      stopDropping();
      model.close();
      delete window.kubeadmit;
    });
    const problems = computed(() => {
      const advice = state.advice.filter(({ file }) => file === state.active);
      // Lint reports the same problem with a more exact place.
      const told = new Set(advice.map(keyOfProblem));
      const found = (state.judgement?.problems ?? []).filter(
        (problem) => problem.file === state.active && !told.has(keyOfProblem(problem)),
      );
      return [...found, ...advice];
    });
    const notes = computed(() => lineNotes(state.active, state.explanations, model.shown));
    return () => (
      <div class={['playground', isDropping.value && 'is-dropping']}>
        <h1 class="visually-hidden">Playground</h1>
        <Toolbar model={model} />
        <section class="files" aria-label="Files">
          <FileTabs model={model} />
          <CodeEditor
            name={state.active}
            text={state.files[state.active] ?? ''}
            problems={problems.value}
            notes={notes.value}
            place={state.place}
            start={model.firstAnswer}
            write={(text: string) => model.write(state.active, text)}
            assist={(question: AssistQuestion) => model.assist(question)}
          />
        </section>
        <section class="outcome" aria-label="Results">
          <RequestForm model={model} />
          <Judgements model={model} />
        </section>
      </div>
    );
  },
  { name: 'PolicyPlayground', props: ['model'] },
);
