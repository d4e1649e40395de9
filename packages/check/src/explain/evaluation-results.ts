import type { PolicyTrace } from '@kubeadmit/admission/internal';
import { defined } from '@kubeadmit/base';
import type { PolicySpec } from '@kubeadmit/engine/internal';
import type { ExplainedResult } from './explanation.ts';

/** How a policy was evaluated with one binding and parameter. */
export type Evaluation = PolicyTrace['bindings'][number]['evaluations'][number];

/** Gives the line of a field of a policy. */
export type PlaceOf = (field: string) => number;

/** Whether a result needs an explanation, because something failed, changed or was excluded. */
export function isOpenResult({ outcome }: ExplainedResult): boolean {
  return outcome !== 'holds' && outcome !== 'published' && outcome !== 'unchanged';
}

/** Returns the effect of a failed validation on the request, based on the actions of the binding. */
function failedOutcome(actions: readonly string[]): ExplainedResult['outcome'] {
  if (actions.includes('Deny')) return 'denied';
  return actions.includes('Warn') ? 'warned' : 'audited';
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
  const error = failurePolicy === 'Ignore' ? 'ignored' : 'error';
  if (conditions.outcome === 'noMatch') {
    const index = (matchConditions ?? []).findIndex(({ name }) => name === conditions.condition);
    const path = `spec.matchConditions[${Math.max(index, 0)}]`;
    const message = `the match condition \`${conditions.condition}\` is false`;
    return [{ path, outcome: 'excluded', message, line: lineOf(path) }];
  }
  if (conditions.outcome !== 'match') {
    const path = 'spec.matchConditions';
    return [{ path, outcome: error, message: conditions.message ?? '', line: lineOf(path) }];
  }
  return [
    ...decisions.map(({ evaluation, message }, i): ExplainedResult => {
      const path = `spec.validations[${i}]`;
      const line = lineOf(`${path}.expression`);
      if (evaluation === 'admitted') return { path, outcome: 'holds', line };
      const outcome = evaluation === 'error' ? error : failedOutcome(actions);
      return defined({ path, outcome, line, message });
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
export function resultText({ path, outcome, message }: ExplainedResult): string {
  if (outcome === 'excluded') return message ?? '';
  if (path.startsWith('spec.auditAnnotations')) return `audit annotation ${message}`;
  const word = outcome === 'holds' ? 'passes' : outcome;
  const said = message === undefined ? word : `${word}: ${message}`;
  return path === 'spec.matchConditions' ? said : `${path}: ${said}`;
}
