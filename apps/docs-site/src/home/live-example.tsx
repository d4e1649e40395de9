import { defineComponent, onBeforeUnmount, onMounted, reactive, type VNode } from 'vue';
import { Engine } from '../engine/engine.ts';
import { startWorker } from '../engine/start-worker.ts';
import './live-example.css';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { team: 'storefront' } },
  spec: {
    replicas: 12,
    template: { spec: { containers: [{ name: 'web', image: 'registry.example.com/web:latest' }] } },
  },
};

/** Expressions that are shown one after another until the user types. */
const suggestions = [
  'object.spec.replicas <= 5',
  "has(object.metadata.labels) && 'team' in object.metadata.labels",
  "object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))",
  "object.metadata.labels['cost-center'] != ''",
];

const pause = 4_000;

interface Answer {
  readonly result?: string;
  readonly error?: string;
  readonly cost?: number;
  readonly issues?: readonly { readonly message: string }[];
}

/** One object and one expression, with its result while the user types. */
export const LiveExample = defineComponent({
  name: 'LiveExample',
  setup() {
    const state = reactive({
      expression: suggestions[0] ?? '',
      answer: undefined as Answer | undefined,
      /** Whether the answer belongs to an earlier text. */
      isStale: false,
    });
    const engine = new Engine({ start: startWorker, milliseconds: 5_000 });
    let timer: ReturnType<typeof setInterval> | undefined;
    const evaluate = async (expression: string): Promise<void> => {
      state.expression = expression;
      state.isStale = true;
      const line = JSON.stringify({ expression, variables: { object: deployment } });
      try {
        const answer = await engine.askInstead<'ask'>({ type: 'ask', command: 'eval', line });
        if (state.expression !== expression) return;
        state.answer = JSON.parse(answer) as Answer;
        state.isStale = false;
      } catch {
        // A newer expression replaced it, or it took too long: nothing is shown.
      }
    };
    const stop = (): void => clearInterval(timer);
    onMounted(() => {
      void evaluate(state.expression);
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      let turn = 0;
      timer = setInterval(() => {
        turn += 1;
        void evaluate(suggestions[turn % suggestions.length] ?? '');
      }, pause);
    });
    onBeforeUnmount(() => {
      stop();
      engine.close();
    });
    return () => (
      <section class="live-example" aria-label="An expression and its verdict">
        <label for="live-expression">Type a rule in CEL; it is evaluated in this page.</label>
        <input
          id="live-expression"
          spellcheck={false}
          autocomplete="off"
          value={state.expression}
          onFocus={stop}
          onInput={(event: Event) => {
            stop();
            void evaluate((event.target as HTMLInputElement).value);
          }}
        />
        <div class={state.isStale && 'is-stale'}>
          <Verdict answer={state.answer} />
        </div>
        <pre>{manifest}</pre>
      </section>
    );
  },
});

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {team: storefront}
spec:
  replicas: 12
  template:
    spec:
      containers:
      - name: web
        image: registry.example.com/web:latest`;

function Verdict({ answer }: { readonly answer: Answer | undefined }): VNode {
  if (answer === undefined) return <p class="verdict">…</p>;
  const { result, error, issues, cost } = answer;
  const problem = issues?.[0]?.message ?? error;
  if (problem !== undefined) return <p class="verdict error">✗ {problem}</p>;
  const text = result === 'true' ? '✓ allowed' : result === 'false' ? '✗ denied' : `= ${result}`;
  return (
    <p class={['verdict', result === 'true' ? 'good' : 'bad']}>
      {text} <span class="cost">cost {cost}</span>
    </p>
  );
}
Verdict.props = ['answer'];
