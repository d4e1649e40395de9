import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { metadataString } from '@kubeadmit/apimachinery';
import type { Chain, ChainRequest, Passage } from '@kubeadmit/chain';
import {
  type AssumedByPlugins,
  type AssumedSelector,
  assumedNamespaceTexts,
  boundPolicies,
  foundNoParameters,
  NamespaceAssumptions,
} from '@kubeadmit/chain/unstable-internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { type CompiledMatch, compileMatch, matchRequest } from '@kubeadmit/matcher';

/** Which policies and bindings matched nothing, and which namespaces were missing. */
export interface Coverage {
  /** The names of policies that matched no object. */
  readonly unusedPolicies: readonly string[];
  /** The names of bindings that matched no object. */
  readonly unusedBindings: readonly string[];
  /** Bindings that matched objects but found no parameters, so that their policies were not evaluated. */
  readonly bindingsWithoutParameters: readonly string[];
  /** One sentence for each namespace that is not among the inputs and whose labels a selector needs. */
  readonly assumedNamespaces: readonly string[];
  /** The assumptions of admission plugins about objects that were not given; absent if there are none. */
  readonly assumedByPlugins?: AssumedByPlugins;
}

/** The match constraints of the native policies that have a binding. */
function boundConstraints(chain: Chain): readonly CompiledMatch[] {
  return boundPolicies(chain).map(({ policy }) =>
    compileMatch(policy.spec?.matchConstraints ?? {}),
  );
}

/** Records which policies requests use, one after another. */
export class CoverageRecorder {
  readonly #chain: Chain;
  /** The names of the policies and bindings that matched a request. */
  readonly #policies = new Set<string>();
  readonly #bindings = new Set<string>();
  readonly #withoutParameters = new Set<string>();
  /** By their text, since many objects use the same selector. */
  readonly #assumed = new Map<string, AssumedSelector>();
  #hasJudged = false;
  #constraints: readonly CompiledMatch[] | undefined;
  readonly #assumptions: NamespaceAssumptions;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#assumptions = new NamespaceAssumptions(chain);
  }

  /** Records the result of one request. */
  record(
    request: AdmissionRequest,
    { trace, findings, failure }: Passage,
    read: ChainRequest | undefined,
  ): void {
    for (const { policy, plugin } of findings) if (plugin === undefined) this.#policies.add(policy);
    for (const policy of trace) this.#recordPolicy(policy);
    this.#hasJudged ||= this.#policies.size > 0;
    if (failure !== undefined) return;
    this.#hasJudged ||= read !== undefined && this.#isSelected(read);
    this.#assume(this.#chain.kyverno?.assumptions.about(request) ?? []);
    if (this.#assumptions.isEmpty || read === undefined) return;
    this.#assume(this.#assumptions.about(read.prepared));
  }

  #assume(selectors: readonly AssumedSelector[]): void {
    for (const selector of selectors) {
      this.#assumed.set(`${selector.namespace}: ${selector.assumption}`, selector);
    }
  }

  /** Returns the result, with policies and bindings in the order of their names. */
  result(): Coverage {
    const { cluster, kyverno } = this.#chain;
    const { classic = [], cel = [], cleanup = [] } = kyverno?.policies ?? {};
    const ofKyverno = [...classic, ...cel, ...cleanup].map(({ policy }) => policy.name);
    const native = [...cluster.validatingPolicies, ...cluster.mutatingPolicies];
    const names = [...native.map(({ metadata }) => metadata?.name ?? ''), ...ofKyverno];
    const unused = (all: readonly string[], used: ReadonlySet<string>): readonly string[] =>
      [...new Set(all)].filter((name) => !used.has(name)).sort();
    const assumed = this.#chain.plugins?.assumed();
    return {
      ...(assumed === undefined ? {} : { assumedByPlugins: assumed }),
      unusedPolicies: unused(names, this.#policies),
      unusedBindings: unused(
        this.#chain.bindings.map((binding) => metadataString(binding, 'name')),
        new Set([...this.#bindings, ...this.#withoutParameters]),
      ),
      bindingsWithoutParameters: unused([...this.#withoutParameters], this.#bindings),
      assumedNamespaces: assumedNamespaceTexts(this.#assumed.values()),
    };
  }

  /**
   * Whether any policy judged an object: the match constraints of a native policy with a binding, or the match block of
   * a Kyverno rule, selected it. A selector that had to guess the labels of a missing namespace does not count.
   */
  get hasJudged(): boolean {
    return this.#hasJudged;
  }

  /** Whether a policy selects a request whose bindings leave it out. */
  #isSelected({ prepared }: ChainRequest): boolean {
    const { attributes, environment } = prepared;
    if (this.#assumptions.about(prepared).length > 0) return false;
    this.#constraints ??= boundConstraints(this.#chain);
    return this.#constraints.some(
      (match) => matchRequest(match, attributes, environment.match).outcome === 'match',
    );
  }

  #recordPolicy({ policy, outcome, bindings }: PolicyTrace): void {
    if (outcome !== 'noMatch') this.#policies.add(policy);
    for (const each of bindings) {
      if (each.outcome === 'noMatch') continue;
      (foundNoParameters(each) ? this.#withoutParameters : this.#bindings).add(each.binding);
    }
  }
}
