import type { FunctionalComponent } from 'vue';
import { CodeEditor } from '../editor/code-editor.ts';
import type { ComparedObject, ConvertedRule, RuleProof } from '../worker/judgement.ts';
import { copyText } from './actions.ts';
import { outcomeLabels } from './outcome-labels.ts';
import { PlaceButton } from './place-button.tsx';
import type { PlaygroundState } from './shown-state.ts';
import type { PlaygroundModel } from './state.ts';
import './conversion.css';

/** The policies that Kyverno rules are converted to: status and comparison of each rule, the results, and the YAML. */
export const Conversion: FunctionalComponent<{ readonly model: PlaygroundModel }> = ({ model }) => {
  const { conversion, proof } = model.state;
  const proofs = proof === undefined || 'failure' in proof ? [] : proof;
  if (conversion === undefined) return <p class="quiet">Converting …</p>;
  if ('failure' in conversion) return <p class="conversion-failure">{conversion.failure}</p>;
  const { text, files, rules, compared } = conversion;
  return (
    <div class="conversion">
      <ul class="converted-rules" aria-label="Conversion of each rule">
        {rules.map((rule, index) => (
          <Rule
            key={`${rule.policy}/${rule.rule}`}
            rule={{ ...rule, ...proofs[index]?.rule }}
            proof={proofs[index]}
            model={model}
          />
        ))}
      </ul>
      {text !== '' && <ProofState proof={proof} />}
      {compared.length > 0 && <Comparison objects={compared} model={model} />}
      {text === '' ? (
        <p class="quiet">No rule was converted.</p>
      ) : (
        <>
          <p class="conversion-actions">
            <button type="button" class="action" onClick={() => model.open(files)}>
              Replace the rules
            </button>
            <button type="button" class="action" onClick={() => void copyText(model, text)}>
              Copy
            </button>
          </p>
          <CodeEditor
            name="converted policies"
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
  partial: 'partly converted',
  none: 'not converted',
} as const;

const Rule: FunctionalComponent<{
  readonly rule: ConvertedRule;
  readonly proof: RuleProof | undefined;
  readonly model: PlaygroundModel;
}> = ({ rule, proof, model }) => {
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
      {proof?.compared !== undefined && <ComparedRequests compared={proof.compared} />}
      {costlyAt !== undefined && (
        <p class="reason">
          close to the CEL cost limit for an object of {costlyAt.toLocaleString('en')} bytes
        </p>
      )}
      <p class="quiet">
        {policies.length > 0 && `converted to ${policies.join(', ')} · `}
        <a href={`${import.meta.env.BASE_URL}reference/conversion/${page}.html`}>
          How these rules are converted
        </a>
      </p>
    </li>
  );
};
Rule.props = ['rule', 'proof', 'model'];

/** The progress of the comparison, or the reason why it failed. */
const ProofState: FunctionalComponent<{ readonly proof: PlaygroundState['proof'] }> = ({
  proof,
}) => {
  if (proof === undefined) {
    return (
      <p class="quiet" role="status">
        Comparing rules and results on generated requests …
      </p>
    );
  }
  return 'failure' in proof ? (
    <p class="conversion-failure">Not compared: {proof.failure}</p>
  ) : null;
};
ProofState.props = ['proof'];

/** The result of comparing a rule with its converted policy. */
const ComparedRequests: FunctionalComponent<{
  readonly compared: NonNullable<RuleProof['compared']>;
}> = ({ compared: { requests, differences, isDecisive } }) => {
  if (differences > 0) {
    return <p class="proof is-different">✗ A generated request gets a different result.</p>;
  }
  if (requests === 0) {
    return <p class="proof">Not compared: no request could be generated for these kinds.</p>;
  }
  if (!isDecisive) {
    return (
      <p class="proof">Not compared: the rule decided none of {requests} different requests.</p>
    );
  }
  return <p class="proof is-same">✓ No difference in {requests} different requests.</p>;
};
ComparedRequests.props = ['compared'];

const Comparison: FunctionalComponent<{
  readonly objects: readonly ComparedObject[];
  readonly model: PlaygroundModel;
}> = ({ objects, model }) => {
  const different = objects.filter(({ before, after }) => before !== after);
  const count = objects.length === 1 ? 'the object' : `all ${objects.length} objects`;
  if (different.length === 0) {
    return (
      <p class="comparison is-same">
        ✓ The rules and the converted policies give the same result for {count}.
      </p>
    );
  }
  return (
    <div class="comparison">
      <p>
        ✗ {different.length} of {objects.length} objects get different results:
      </p>
      <ul>
        {different.map(({ kind, namespace, name, file, line, before, after }) => (
          <li key={`${file}:${line}`}>
            {kind} {namespace === '' ? name : `${namespace}/${name}`}: rules:{' '}
            {outcomeLabels[before]}, converted policies: {outcomeLabels[after]}{' '}
            <PlaceButton model={model} file={file} line={line} />
          </li>
        ))}
      </ul>
    </div>
  );
};
Comparison.props = ['objects', 'model'];
