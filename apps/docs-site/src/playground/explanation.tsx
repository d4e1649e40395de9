import type { FunctionalComponent } from 'vue';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPolicy,
} from '../worker/judgement.ts';
import { CostBar, costLimits } from './cost-bar.tsx';
import { PlaceButton } from './place-button.tsx';
import type { PlaygroundModel } from './state.ts';

/** The reasons for the results of policies: rules, bindings, and every expression with the values of its parts. */
export const Explanation: FunctionalComponent<{
  readonly policies: readonly ExplainedPolicy[];
  readonly model: PlaygroundModel;
}> = ({ policies, model }) => (
  <ul class="explanation" aria-label="Why">
    {policies.map((policy) => (
      <li key={`${policy.kind}/${policy.policy}`}>
        <p>
          <b>{policy.policy}</b> <span class="quiet">{policy.kind}</span>{' '}
          {policy.matched ? 'matches' : <em>does not match</em>}: {policy.reason}
        </p>
        {policy.bindings.map((binding) => (
          <Binding key={binding.binding} binding={binding} model={model} />
        ))}
      </li>
    ))}
  </ul>
);
Explanation.props = ['policies', 'model'];

const Binding: FunctionalComponent<{
  readonly binding: ExplainedBinding;
  readonly model: PlaygroundModel;
}> = ({ binding, model }) => (
  <div class="binding">
    <p>
      Binding <b>{binding.binding}</b> {binding.matched ? 'matches' : <em>does not match</em>}
      {binding.reason === undefined ? '' : `: ${binding.reason}`}
    </p>
    {binding.evaluations.map((evaluation, index) => (
      <Evaluation key={index} evaluation={evaluation} model={model} />
    ))}
  </div>
);
Binding.props = ['binding', 'model'];

const Evaluation: FunctionalComponent<{
  readonly evaluation: ExplainedEvaluation;
  readonly model: PlaygroundModel;
}> = ({ evaluation: { params, outcomes, expressions }, model }) => {
  const total = expressions.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <div class="evaluation">
      {params !== undefined && (
        <p>
          Parameters: <b>{params}</b>
        </p>
      )}
      {expressions.map((expression, index) => (
        <ExpressionTree key={index} expression={expression} model={model} />
      ))}
      {expressions.length > 1 && (
        <p class="total">
          Total <CostBar cost={total} limit={costLimits.policy} />
        </p>
      )}
      <ul class="outcomes">
        {outcomes.map((outcome) => (
          <li key={outcome}>{outcome}</li>
        ))}
      </ul>
    </div>
  );
};
Evaluation.props = ['evaluation', 'model'];

const ExpressionTree: FunctionalComponent<{
  readonly expression: ExplainedExpression;
  readonly model: PlaygroundModel;
}> = ({ expression: { path, expression, value, error, cost, steps, file, line }, model }) => (
  <details class="expression">
    <summary>
      <code class="path">{path}</code>
      <code class={['value', error !== undefined && 'error']}>{error ?? value}</code>
      <CostBar cost={cost} limit={costLimits.expression} />
    </summary>
    <pre>{expression}</pre>
    {file !== undefined && line !== undefined && (
      <PlaceButton model={model} file={file} line={line} />
    )}
    {steps.length > 0 && (
      <dl>
        {steps.map((step) => (
          <div key={step.expression}>
            <dt>{step.expression}</dt>
            <dd>{step.value}</dd>
          </div>
        ))}
      </dl>
    )}
  </details>
);
ExpressionTree.props = ['expression', 'model'];
