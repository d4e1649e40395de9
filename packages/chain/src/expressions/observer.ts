import { getOrMake } from '@kubeadmit/base';
import type { ObservedEvaluation, ObserveEvaluation, PolicySpec } from '@kubeadmit/engine';

/** Records the evaluations of chosen policies during a call. */
export class EvaluationObserver {
  /** The observer to load a chain or a cluster with. */
  readonly observe: ObserveEvaluation;
  #seen: Map<PolicySpec, ObservedEvaluation[]> | undefined;
  #wanted: ReadonlySet<PolicySpec> | undefined;

  constructor() {
    const wants = (home: ObservedEvaluation['home']): boolean =>
      home !== undefined && this.#seen !== undefined && this.#wanted?.has(home.spec) !== false;
    this.observe = Object.assign((evaluation: ObservedEvaluation) => this.#take(evaluation), {
      wants,
    });
  }

  /**
   * Returns the evaluations during `work`, by the spec of the policy, in order.
   *
   * @param wanted the specs to record (default: all).
   */
  during<Result>(
    work: () => Result,
    wanted?: ReadonlySet<PolicySpec>,
  ): { readonly result: Result; readonly seen: ReadonlyMap<PolicySpec, ObservedEvaluation[]> } {
    const seen = new Map<PolicySpec, ObservedEvaluation[]>();
    this.#seen = seen;
    this.#wanted = wanted;
    try {
      return { result: work(), seen };
    } finally {
      this.#seen = undefined;
    }
  }

  #take(evaluation: ObservedEvaluation): void {
    const spec = evaluation.home?.spec;
    if (spec === undefined || this.#seen === undefined) return;
    getOrMake(this.#seen, spec, () => []).push(evaluation);
  }
}
