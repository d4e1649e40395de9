import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { type EvaluationGroup, hasEvaluated, type LineOfPath } from '@kubeadmit/chain/expressions';
import type { Change } from '@kubeadmit/chain/findings';
import type { ObservedEvaluation, PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { PreparedRequest } from '../requests/planned-check.ts';
import type { AskedFacts } from './exact-reason.ts';
import type { ExplainedEvaluation } from './explanation.ts';
import type { SeenKyverno } from './kyverno-rules.ts';
import type { LineSource } from './line-source.ts';

/** The inputs for the explanation of one request. */
export interface Told {
  readonly trace: readonly PolicyTrace[];
  readonly changes: readonly Change[];
  readonly seen: ReadonlyMap<PolicySpec, readonly ObservedEvaluation[]>;
  readonly request: PreparedRequest['request'];
  readonly facts: AskedFacts;
  readonly lineOf: LineSource;
}

/** The results of Kyverno's policies for a request. */
export interface AskedKyverno extends Pick<SeenKyverno, 'passage' | 'traces' | 'policies'> {
  readonly seen: Told['seen'];
}

/** The policy of observed expressions, and the lines of the values that they read. */
export interface ObservedPolicy {
  readonly policy: Manifest;
  readonly spec: PolicySpec;
  readonly lineOf: LineOfPath;
}

type BindingTrace = PolicyTrace['bindings'][number];

/** The inputs for the explanation of one binding. */
export interface ToldBinding {
  readonly binding: BindingTrace;
  readonly evaluations: readonly ExplainedEvaluation[];
  readonly facts: AskedFacts;
  /** Whether the failure policy ignores the error of the binding. */
  readonly errorIgnored: true | undefined;
}

/** The inputs for the explanation of one evaluation. */
export interface ToldEvaluation {
  readonly evaluation: BindingTrace['evaluations'][number];
  readonly group: EvaluationGroup;
  readonly told: Told;
  readonly pass: 1 | 2;
  /** The `validationActions` of the binding. */
  readonly actions: readonly string[];
}

/**
 * Removes and returns the observed expressions of one evaluation; a policy's groups are in evaluation order.
 *
 * In the second pass the conditions of all policies are evaluated, but a policy mutates again only if another one
 * changed the object.
 */
export function takeGroup(
  groups: EvaluationGroup[],
  { conditions, mutations }: BindingTrace['evaluations'][number],
  pass: 1 | 2,
): EvaluationGroup {
  const isMutation = mutations !== undefined && conditions.outcome === 'match';
  // Nothing is mutated where there is no object.
  if (
    isMutation &&
    mutations.length === 0 &&
    !hasEvaluated(groups[0] ?? [], 'spec.matchConditions')
  )
    return [];
  if (pass === 1) return groups.shift() ?? [];
  if (!isMutation) return [];
  const index = groups.findIndex((group) => hasEvaluated(group, 'spec.mutations'));
  return groups.splice(0, index + 1).at(-1) ?? [];
}
