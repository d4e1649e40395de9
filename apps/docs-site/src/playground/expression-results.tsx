import type { FunctionalComponent } from 'vue';
import type { EvaluatedFile } from '../worker/judgement.ts';
import { CostBar, costLimits } from './cost-bar.tsx';

/** The results of the files that contain one expression each. */
export const ExpressionResults: FunctionalComponent<{
  readonly expressions: readonly EvaluatedFile[];
}> = ({ expressions }) => (
  <div class="results">
    {expressions.map(({ file, result, type, error, cost }) => (
      <article key={file} class={['object', error === undefined ? 'allowed' : 'failed']}>
        <header>
          <h2>{file}</h2>
          {cost !== undefined && <CostBar cost={cost} limit={costLimits.expression} />}
        </header>
        {result !== undefined && <pre class="result">{result}</pre>}
        {type !== undefined && <p class="quiet">type {type}</p>}
        {error !== undefined && <p class="status-message">{error}</p>}
      </article>
    ))}
  </div>
);
ExpressionResults.props = ['expressions'];
