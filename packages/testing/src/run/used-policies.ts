import type { Passage } from '@kubeadmit/chain';
import type { CaseCluster } from '../load/cluster-loader.ts';

/** Records which policies and bindings match requests. */
export class UsedPolicies {
  readonly #policies = new Set<string>();
  readonly #bindings = new Set<string>();

  /** Records the result of a request. */
  record({ findings, trace }: Passage): void {
    for (const { policy, verdict, rule } of findings) {
      // A rule of Kyverno that matched and had a precondition against it says `skip` too.
      if (verdict !== 'skip' || rule !== undefined) this.#policies.add(policy);
    }
    for (const { policy, bindings } of trace) {
      for (const { binding, evaluations, outcome } of bindings) {
        if (outcome !== 'noMatch') this.#bindings.add(binding);
        if (evaluations.length > 0 || outcome === 'error') this.#policies.add(policy);
      }
    }
  }

  /** A sentence for each policy and binding of clusters that no request was concerned by. */
  unused(clusters: readonly CaseCluster[]): readonly string[] {
    const policies = new Map<string, string>();
    const bindings = new Map<string, string>();
    for (const { inputs } of clusters) {
      for (const { kind, name } of inputs.policies) policies.set(name, kind);
      for (const { kind, name } of inputs.kyverno) {
        if (kind !== 'PolicyException' && kind !== 'GlobalContextEntry') policies.set(name, kind);
      }
      for (const { kind, name } of inputs.bindings) bindings.set(name, kind);
    }
    return [
      ...sentences(policies, this.#policies, 'matched no case'),
      ...sentences(bindings, this.#bindings, 'matched no case'),
    ];
  }
}

function sentences(
  all: ReadonlyMap<string, string>,
  used: ReadonlySet<string>,
  what: string,
): readonly string[] {
  return [...all]
    .filter(([name]) => !used.has(name))
    .map(([name, kind]) => `${kind} ${name} ${what}`)
    .sort();
}
