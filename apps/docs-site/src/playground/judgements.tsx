import type { FunctionalComponent } from 'vue';
import type { JudgedObject, Judgement, Problem } from '../worker/judgement.ts';
import { Conversion } from './conversion.tsx';
import { ExpressionResults } from './expression-results.tsx';
import { ObjectCard } from './object-card.tsx';
import { outcomeCounts } from './outcome-labels.ts';
import { ProblemList } from './problem-list.tsx';
import type { PlaygroundModel } from './state.ts';
import { keyOfProblem } from './told-problem.ts';

/** The results for the files, in one version of Kubernetes or in two side by side. */
export const Judgements: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => {
  const { judgement, otherJudgement, failure, isBusy, kubernetesVersion, otherVersion, view } =
    model.state;
  const isConversion = view === 'conversion' && judgement !== undefined;
  return (
    <div class="judgements" aria-busy={isBusy}>
      <p class="summary" role="status">
        {failure ?? (judgement === undefined ? 'Loading …' : summaryOf(judgement))}
      </p>
      {judgement !== undefined && judgement.convertible > 0 && <Views model={model} />}
      {isConversion ? (
        <Conversion model={model} />
      ) : (
        <div class={otherJudgement === undefined ? 'one' : 'two'}>
          {judgement !== undefined && (
            <Outcome judgement={judgement} version={kubernetesVersion} model={model} />
          )}
          {otherJudgement !== undefined && (
            <Outcome judgement={otherJudgement} version={otherVersion} model={model} />
          )}
        </div>
      )}
    </div>
  );
};
Judgements.props = ['model'];

const views = { verdicts: 'Results', conversion: 'Converted policies' } as const;

/** The choice between the results and the policies that Kyverno's rules are converted to. */
const Views: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => (
  <fieldset class="views">
    <legend class="visually-hidden">View</legend>
    {(Object.keys(views) as (keyof typeof views)[]).map((view) => (
      <button
        key={view}
        type="button"
        class="action"
        aria-pressed={model.state.view === view}
        onClick={() => model.show(view)}
      >
        {views[view]}
      </button>
    ))}
  </fieldset>
);
Views.props = ['model'];

const Outcome: FunctionalComponent<{
  readonly judgement: Judgement;
  readonly version: string;
  readonly model: PlaygroundModel;
}> = ({ judgement, version, model }) => {
  const { problems, objects, expressions } = judgement;
  const isMain = judgement === model.state.judgement;
  const shown = isMain ? withAdvice(problems, model) : problems;
  return (
    <div class="column" data-version={version}>
      {model.state.otherVersion !== '' && <h2>Kubernetes {version}</h2>}
      {shown.length > 0 && <ProblemList problems={shown} model={model} />}
      {expressions.length > 0 && <ExpressionResults expressions={expressions} />}
      {objects.map((object, index) => (
        <ObjectCard
          key={`${index} ${object.kind} ${object.namespace}/${object.name}`}
          object={object}
          index={index}
          policies={isMain ? model.state.explanations[index] : undefined}
          model={model}
        />
      ))}
    </div>
  );
};
Outcome.props = ['judgement', 'version', 'model'];

/** The problems of the files, and those that lint adds. */
function withAdvice(problems: readonly Problem[], { state }: PlaygroundModel): readonly Problem[] {
  const known = new Set(problems.map(keyOfProblem));
  return [...problems, ...state.advice.filter((advice) => !known.has(keyOfProblem(advice)))];
}

function summaryOf({ objects, problems, milliseconds }: Judgement): string {
  const counts = new Map<JudgedObject['outcome'], number>();
  for (const { outcome } of objects) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const parts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'} in the files`] : []),
    ...[...counts].map(([outcome, count]) => `${count} ${outcomeCounts[outcome]}`),
  ];
  const time = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
  return `${parts.length > 0 ? parts.join(', ') : 'No objects to check'} · ${time} ms`;
}
