import type { FunctionalComponent } from 'vue';
import { CodeEditor } from '../editor/code-editor.ts';
import type { ComparedObject, ConvertedRule } from '../worker/judgement.ts';
import { copyText } from './actions.ts';
import { PlaceButton } from './place-button.tsx';
import type { PlaygroundModel } from './state.ts';
import './conversion.css';

/** What the policies of Kyverno become, beside them: what is missing of each rule, whether objects are judged alike, and the text. */
export const Conversion: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => {
  const { conversion } = model.state;
  if (conversion === undefined) return <p class="quiet">Converting …</p>;
  if ('failure' in conversion) return <p class="conversion-failure">{conversion.failure}</p>;
  const { text, files, rules, compared } = conversion;
  return (
    <div class="conversion">
      <ul class="converted-rules" aria-label="What became of each rule">
        {rules.map((rule) => (
          <Rule key={`${rule.policy}/${rule.rule}`} rule={rule} model={model} />
        ))}
      </ul>
      {compared.length > 0 && <Comparison objects={compared} model={model} />}
      {text === '' ? (
        <p class="quiet">Nothing comes out.</p>
      ) : (
        <>
          <p class="conversion-actions">
            <button type="button" class="action" onClick={() => model.open(files)}>
              Open in place of the rules
            </button>
            <button type="button" class="action" onClick={() => void copyText(model, text)}>
              Copy
            </button>
          </p>
          <CodeEditor
            name="the converted policies"
            text={text}
            problems={[]}
            notes={[]}
            place={undefined}
            start={model.firstAnswer}
          />
        </>
      )}
    </div>
  );
};
Conversion.props = ['model'];

const statuses = {
  converted: 'converted',
  partial: 'converted in part',
  none: 'not converted',
} as const;

const Rule: FunctionalComponent<{
  readonly rule: ConvertedRule;
  readonly model: PlaygroundModel;
}> = ({ rule, model }) => {
  const {
    policy,
    rule: name,
    status,
    weaker,
    stricter,
    reason,
    results,
    costlyAt,
    page,
    file,
    line,
  } = rule;
  // Each has its binding.
  const policies = results.filter((result) => !result.includes('Binding/'));
  const isLess = status === 'converted' && (weaker === true || stricter === true);
  return (
    <li class={isLess ? 'partial' : status}>
      <p>
        <b class="status">{statuses[status]}</b>{' '}
        {name === undefined ? policy : `${policy}: ${name}`}
        {weaker === true && <span class="flag">weaker</span>}
        {stricter === true && <span class="flag">stricter</span>}
        <PlaceButton model={model} file={file} line={line} />
      </p>
      {reason !== undefined && (
        <p class="reason">
          {reason
            .split(/`([^`]*)`/)
            .map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
        </p>
      )}
      {costlyAt !== undefined && (
        <p class="reason">
          near the limits of CEL's cost for an object of {costlyAt.toLocaleString('en')} bytes
        </p>
      )}
      <p class="quiet">
        {policies.length > 0 && `became ${policies.join(', ')} · `}
        <a href={`${import.meta.env.BASE_URL}reference/conversion/${page}.html`}>
          how such rules are converted
        </a>
      </p>
    </li>
  );
};
Rule.props = ['rule', 'model'];

const Comparison: FunctionalComponent<{
  readonly objects: readonly ComparedObject[];
  readonly model: PlaygroundModel;
}> = ({ objects, model }) => {
  const different = objects.filter(({ before, after }) => before !== after);
  const count = objects.length === 1 ? 'the object' : `all ${objects.length} objects`;
  if (different.length === 0) {
    return <p class="comparison is-same">✓ Both judge {count} of these files alike.</p>;
  }
  return (
    <div class="comparison">
      <p>
        ✗ {different.length} of {objects.length} objects are judged otherwise:
      </p>
      <ul>
        {different.map(({ kind, namespace, name, file, line, before, after }) => (
          <li key={`${file}:${line}`}>
            {kind} {namespace === '' ? name : `${namespace}/${name}`}: {before} by the rules,{' '}
            {after} by the result <PlaceButton model={model} file={file} line={line} />
          </li>
        ))}
      </ul>
    </div>
  );
};
Comparison.props = ['objects', 'model'];
