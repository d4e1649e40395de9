import type { PolicyTrace } from '@kubeadmit/admission/internal';
import { metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Chain } from '../chain/chain.ts';
import type { Passage } from '../chain/pass-request.ts';
import type { ChainRequest } from '../chain/request.ts';
import { NamespaceAssumptions } from './assumed-namespaces.ts';
import { foundNoParameters } from './findings.ts';

/** What of the policies a check has used, and what it had to assume. */
export interface Coverage {
  /** Policies that concerned none of the objects, by name. */
  readonly unusedPolicies: readonly string[];
  /** Bindings that matched none of them. */
  readonly unusedBindings: readonly string[];
  /** Bindings that matched objects and found parameters for none, so that their policies were asked nothing. */
  readonly bindingsWithoutParameters: readonly string[];
  /** What selectors asked about namespaces that nobody gave, a sentence each. */
  readonly assumedNamespaces: readonly string[];
}

/** What requests have used of policies; it can be sent from one thread to another. */
export interface UsedPolicies {
  readonly policies: Set<string>;
  readonly bindings: Set<string>;
  readonly withoutParameters: Set<string>;
  readonly assumedNamespaces: Set<string>;
}

/** What no request has used. */
export function nothingUsed(): UsedPolicies {
  return {
    policies: new Set(),
    bindings: new Set(),
    withoutParameters: new Set(),
    assumedNamespaces: new Set(),
  };
}

/** Takes down what requests make of policies, one after another. */
export class CoverageRecorder {
  readonly #chain: Chain;
  #used = nothingUsed();
  readonly #assumptions: NamespaceAssumptions;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#assumptions = new NamespaceAssumptions(chain);
  }

  /** Takes down what became of one request. */
  record(
    request: AdmissionRequest,
    { trace, findings, failure }: Passage,
    read: ChainRequest | undefined,
  ): void {
    const { policies, assumedNamespaces } = this.#used;
    for (const { policy } of findings) policies.add(policy);
    for (const policy of trace) this.#recordPolicy(policy);
    if (failure !== undefined) return;
    for (const text of this.#chain.kyverno?.assumptions.about(request) ?? []) {
      assumedNamespaces.add(text);
    }
    if (this.#assumptions.isEmpty || read === undefined) return;
    for (const text of this.#assumptions.about(read.prepared)) assumedNamespaces.add(text);
  }

  /** What was taken down since the last time; this begins anew. */
  take(): UsedPolicies {
    const used = this.#used;
    this.#used = nothingUsed();
    return used;
  }

  /** Takes down what another recorder gave away. */
  add(used: UsedPolicies): void {
    for (const part of Object.keys(used) as (keyof UsedPolicies)[]) {
      for (const name of used[part]) this.#used[part].add(name);
    }
  }

  /** What was found out, of policies and bindings in the order of their names. */
  result(): Coverage {
    const { cluster, kyverno } = this.#chain;
    const { policies, bindings, withoutParameters, assumedNamespaces } = this.#used;
    const classic = kyverno?.policies.classic.map(({ policy }) => policy.name) ?? [];
    const cel = kyverno?.policies.cel.map(({ policy }) => policy.name) ?? [];
    const native = [...cluster.validatingPolicies, ...cluster.mutatingPolicies];
    const names = [...native.map(({ metadata }) => metadata?.name ?? ''), ...classic, ...cel];
    const unused = (all: readonly string[], used: ReadonlySet<string>): readonly string[] =>
      [...new Set(all)].filter((name) => !used.has(name)).sort();
    return {
      unusedPolicies: unused(names, policies),
      unusedBindings: unused(
        this.#chain.bindings.map((binding) => metadataString(binding, 'name')),
        new Set([...bindings, ...withoutParameters]),
      ),
      bindingsWithoutParameters: unused([...withoutParameters], bindings),
      assumedNamespaces: [...assumedNamespaces],
    };
  }

  #recordPolicy({ policy, outcome, bindings }: PolicyTrace): void {
    const used = this.#used;
    if (outcome !== 'noMatch') used.policies.add(policy);
    for (const each of bindings) {
      if (each.outcome === 'noMatch') continue;
      (foundNoParameters(each) ? used.withoutParameters : used.bindings).add(each.binding);
    }
  }
}
