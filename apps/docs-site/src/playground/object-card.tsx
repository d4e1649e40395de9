import type { FunctionalComponent } from 'vue';
import type { JudgedObject } from '../worker/judgement.ts';
import type { PlaygroundModel } from './state.ts';

const signs: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: '✗',
  failed: '✗',
  warned: '!',
  changed: '✎',
  allowed: '✓',
  'not concerned': '·',
};

/** What became of one object: the verdict, the exact message, and why. */
export const ObjectCard: FunctionalComponent<{
  readonly object: JudgedObject;
  readonly model: PlaygroundModel;
}> = ({ object, model }) => {
  const { outcome, kind, namespace, name, file, line, message, warnings, operation } = object;
  return (
    <article class={['object', outcome.replace(' ', '-')]}>
      <header>
        <span class="verdict">
          <span aria-hidden="true">{signs[outcome]}</span> {outcome}
        </span>
        <h2>
          {operation === 'CREATE' ? '' : `${operation} `}
          {kind} {namespace === '' ? name : `${namespace}/${name}`}
        </h2>
        <button
          type="button"
          class="place"
          onClick={() => model.showPlace({ file, line, column: 1 })}
        >
          {file}:{line}
        </button>
      </header>
      {message !== undefined && <p class="status-message">{message}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          Warning: {warning}
        </p>
      ))}
    </article>
  );
};
ObjectCard.props = ['object', 'model'];
