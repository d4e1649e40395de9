import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { defined } from '@kubeadmit/base';
import type { PolicySpec } from '@kubeadmit/engine';
import type { ExplainedResult } from './explanation.ts';

/** How a policy was evaluated with one binding and parameter. */
export type Evaluation = PolicyTrace['bindings'][number]['evaluations'][number];

/** Returns the line of a field of a policy. */
export type PlaceOf = (field: string) => number;

/** Whether a result needs an explanation, because something failed, changed or was excluded. */
export function isOpenResult({ outcome }: ExplainedResult): boolean {
  return outcome !== 'holds' && outcome !== 'published' && outcome !== 'unchanged';
}

/** The effects of the `validationActions`, the strongest first. */
const effectOf = { Deny: 'denied', Warn: 'warned', Audit: 'audited' } as const;

type Effect = NonNullable<ExplainedResult['effects']>[number];

/** Returns the effects of a failed validation on the request, based on the actions of the binding. */
function effectsOf(actions: readonly string[]): readonly Effect[] {
  return Object.entries(effectOf).flatMap(([action, effect]) =>
    actions.includes(action) ? [effect] : [],
  );
}

/**
 * Returns the results of an evaluation, part by part.
 *
 * @param actions the `validationActions` of the binding
 */
export function resultsOf(
  { conditions, decisions = [], auditAnnotations = [], mutations = [] }: Evaluation,
  { matchConditions, failurePolicy }: PolicySpec,
  lineOf: PlaceOf,
  actions: readonly string[],
): readonly ExplainedResult[] {
  const isIgnored = failurePolicy === 'Ignore';
  const error = isIgnored ? 'ignored' : 'error';
  const effects = effectsOf(actions);
  // An error has the effects of a failed validation, unless the failure policy ignores it.
  const ofError = isIgnored || effects.length === 0 ? undefined : effects;
  if (conditions.outcome === 'noMatch') {
    const index = (matchConditions ?? []).findIndex(({ name }) => name === conditions.condition);
    const path = `spec.matchConditions[${Math.max(index, 0)}]`;
    const message = `the match condition \`${conditions.condition}\` is false`;
    return [{ path, outcome: 'excluded', message, line: lineOf(path) }];
  }
  if (conditions.outcome !== 'match') {
    const path = 'spec.matchConditions';
    const { message = '' } = conditions;
    return [defined({ path, outcome: error, effects: ofError, message, line: lineOf(path) })];
  }
  return [
    ...decisions.map(({ evaluation, message }, i): ExplainedResult => {
      const path = `spec.validations[${i}]`;
      const line = lineOf(`${path}.expression`);
      if (evaluation === 'admitted') return { path, outcome: 'holds', line };
      if (evaluation === 'error') {
        return defined({ path, outcome: error, effects: ofError, line, message });
      }
      return defined({ path, outcome: effects[0] ?? 'denied', effects, line, message });
    }),
    ...auditAnnotations.flatMap((each, i): ExplainedResult[] => {
      if (each.action === 'exclude') return [];
      const path = `spec.auditAnnotations[${i}]`;
      const isPublished = each.action === 'publish';
      const message = `${each.key}: ${isPublished ? each.value : each.message}`;
      return [{ path, outcome: isPublished ? 'published' : error, message, line: lineOf(path) }];
    }),
    ...mutations.map((each): ExplainedResult => {
      const path = `spec.mutations[${each.mutation}]`;
      const line = lineOf(path);
      if (each.outcome === 'error') return { path, outcome: error, message: each.message, line };
      return { path, outcome: each.outcome === 'changed' ? 'changed' : 'unchanged', line };
    }),
  ];
}

/** Returns the result of a part as a sentence. */
export function resultText(result: ExplainedResult): string {
  const { path, outcome, message } = result;
  if (outcome === 'excluded') return message ?? '';
  if (path.startsWith('spec.auditAnnotations')) return `audit annotation ${message}`;
  const word = resultWord(result, words);
  const said = message === undefined ? word : `${word}: ${message}`;
  return path === 'spec.matchConditions' ? said : `${path}: ${said}`;
}

const words: ResultWords = {
  holds: 'passes',
  denied: 'denied',
  warned: 'warned',
  audited: 'audited',
  ignored: 'ignored',
  error: 'error',
  excluded: 'excluded',
  changed: 'changed',
  unchanged: 'unchanged',
  published: 'published',
};

/** The words for outcomes. */
export type ResultWords = Readonly<Record<ExplainedResult['outcome'], string>>;

/** Returns a result in the given words, with all actions of the binding; an error names those that do not deny. */
export function resultWord({ outcome, effects = [] }: ExplainedResult, words: ResultWords): string {
  const actions = effects.join(' and ');
  if (outcome !== 'error') return actions || words[outcome];
  return actions === '' || effects.includes('denied') ? words.error : `${words.error} (${actions})`;
}
