import type { FunctionalComponent } from 'vue';
import type { ExplainedPolicy, Finding, JudgedObject } from '../worker/judgement.ts';
import { ChangeList } from './change-list.tsx';
import { Explanation } from './explanation.tsx';
import { outcomeLabels } from './outcome-labels.ts';
import { PlaceButton } from './place-button.tsx';
import type { PlaygroundModel } from './state.ts';
import { Unfolding } from './unfolding.tsx';

const signs: Readonly<Record<JudgedObject['outcome'], string>> = {
  denied: '✗',
  failed: '✗',
  warned: '!',
  audited: '!',
  errorIgnored: '!',
  changed: '✎',
  allowed: '✓',
  unmatched: '·',
};

/** The result of one object: the verdict, the exact message, every finding, and the reasons. */
export const ObjectCard: FunctionalComponent<{
  readonly object: JudgedObject;
  readonly index: number;
  /** The explanations of native policies; absent in the second column. */
  readonly policies: readonly ExplainedPolicy[] | undefined;
  readonly model: PlaygroundModel;
}> = ({ object, index, policies, model }) => {
  const { outcome, kind, namespace, name, file, line, message, operation } = object;
  const findings = object.findings.filter(
    ({ verdict, message: said }) => verdict !== 'allow' || said !== undefined,
  );
  return (
    <article class={['object', outcome, model.shown === index && 'is-selected']}>
      <header>
        <span class="verdict">
          <span aria-hidden="true">{signs[outcome]}</span> {outcomeLabels[outcome]}
        </span>
        <h2>
          {operation === 'CREATE' ? '' : `${operation} `}
          {kind} {namespace === '' ? name : `${namespace}/${name}`}
        </h2>
        <button
          type="button"
          class="pick"
          aria-pressed={model.shown === index}
          title="Show the values for this object in the editor"
          onClick={() => model.select(index)}
        >
          Show values
        </button>
        <PlaceButton model={model} file={file} line={line} />
      </header>
      {message !== undefined && <p class="status-message">{message}</p>}
      {findings.length > 0 && (
        <ul class="findings" aria-label="Findings">
          {findings.map((finding, place) => (
            <li key={place} class={finding.verdict}>
              <b>{finding.verdict}</b> {originOf(finding)}
              {finding.message === undefined ? '' : `: ${finding.message}`}
            </li>
          ))}
        </ul>
      )}
      {object.changes.length > 0 && (
        <details class="more changed-by">
          <summary>
            {object.changes.length} {object.changes.length === 1 ? 'change' : 'changes'}
          </summary>
          <ChangeList changes={object.changes} />
        </details>
      )}
      {policies !== undefined && policies.length > 0 && (
        <Unfolding class="more why" title="Why" onOpen={() => model.select(index)}>
          {() => <Explanation policies={policies} model={model} />}
        </Unfolding>
      )}
    </article>
  );
};
ObjectCard.props = ['object', 'index', 'policies', 'model'];

function originOf({ policy, plugin, binding, rule, params }: Finding): string {
  const parts = [
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(binding === undefined || binding === policy ? [] : [`binding ${binding}`]),
    ...(params === undefined ? [] : [`parameters ${params}`]),
  ];
  const maker = plugin === undefined ? policy : `admission plugin ${plugin}`;
  return parts.length === 0 ? maker : `${maker} (${parts.join(', ')})`;
}
