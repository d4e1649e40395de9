import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { member, memberText, metadataString } from '@kubeadmit/apimachinery';
import type { Chain, ChainRequest, Finding, Passage } from '@kubeadmit/chain';
import { foundNoParameters } from '@kubeadmit/chain/findings';
import type { AssumedByPlugins } from '@kubeadmit/chain/plugins';
import {
  type AssumedSelector,
  assumedNamespaceTexts,
  boundPolicies,
  NamespaceAssumptions,
} from '@kubeadmit/chain/unstable-internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { PolicyTrace as KyvernoTrace } from '@kubeadmit/kyverno/traces';
import { type CompiledMatch, compileMatch, matchRequest } from '@kubeadmit/matcher';
import { backgroundPolicies, hasSilentPolicies, silentFindings } from './silent-policies.ts';

/** Which policies and bindings matched nothing, and which namespaces were missing. */
export interface Coverage {
  /** The names of policies that matched no object. */
  readonly unusedPolicies: readonly string[];
  /** The names of bindings that matched no object. */
  readonly unusedBindings: readonly string[];
  /** Bindings that matched objects but found no parameters, so that their policies were not evaluated. */
  readonly bindingsWithoutParameters: readonly string[];
  /** One sentence for each policy that failed before its bindings were evaluated; absent if there are none. */
  readonly failedPolicies?: readonly string[];
  /** One sentence for each namespace that is not among the inputs and whose labels a selector needs. */
  readonly assumedNamespaces: readonly string[];
  /** The assumptions of admission plugins about objects that were not given; absent if there are none. */
  readonly assumedByPlugins?: AssumedByPlugins;
  /** How many objects are invalid, so that no policy judged them; absent if there are none. */
  readonly invalidObjects?: number;
}

/** The match constraints of the native policies that have a binding. */
function boundConstraints(chain: Chain): readonly CompiledMatch[] {
  return boundPolicies(chain).map(({ policy }) =>
    compileMatch(policy.spec?.matchConstraints ?? {}),
  );
}

/** The result of a request, and the facts that it does not contain. */
export interface SeenRequest {
  readonly passage: Passage;
  /** The request as it was read, if it was. */
  readonly read?: ChainRequest | undefined;
  /** The traces of Kyverno's policies, where they are needed. */
  readonly traces?: readonly KyvernoTrace[];
}

/** Records which policies requests use, one after another. */
export class CoverageRecorder {
  readonly #chain: Chain;
  /** The names of the policies and bindings that matched a request. */
  readonly #policies = new Set<string>();
  readonly #bindings = new Set<string>();
  readonly #withoutParameters = new Set<string>();
  /** The first error of each policy that failed before its bindings were evaluated. */
  readonly #failed = new Map<string, string>();
  /** By their text, since many objects use the same selector. */
  readonly #assumed = new Map<string, AssumedSelector>();
  #hasJudged = false;
  #hasDenied = false;
  #invalidObjects = 0;
  /** Whether the traces of Kyverno's policies show more than the findings: which policies select the object. */
  readonly #needsTraces: boolean;
  #constraints: readonly CompiledMatch[] | undefined;
  readonly #assumptions: NamespaceAssumptions;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#needsTraces = hasSilentPolicies(chain);
    this.#assumptions = new NamespaceAssumptions(chain);
  }

  /** Sends a request through the chain by `pass`, and adds the traces of Kyverno's policies where they are needed. */
  observe(pass: () => SeenRequest): SeenRequest {
    const { kyverno } = this.#chain;
    if (kyverno === undefined || !this.#needsTraces) return pass();
    const { result, policies: traces } = kyverno.traced(pass);
    return { ...result, traces };
  }

  /**
   * Records the result of one request, and what is known of it.
   *
   * @returns a finding for each traced policy that selects the object, for a result without findings
   */
  record(
    request: AdmissionRequest,
    { passage: { trace, findings, failure, allowed }, read, traces = [] }: SeenRequest,
  ): readonly Finding[] {
    for (const { policy, plugin } of findings) if (plugin === undefined) this.#policies.add(policy);
    for (const policy of trace) this.#recordPolicy(policy);
    const assumed = this.#chain.kyverno?.assumptions.about(request) ?? [];
    const silent = assumed.length === 0 ? silentFindings(traces) : [];
    for (const { policy } of silent) this.#policies.add(policy);
    this.#hasJudged ||= this.#policies.size > 0;
    if (failure !== undefined) {
      this.#invalidObjects++;
      return silent;
    }
    this.#hasDenied ||= !allowed;
    this.#hasJudged ||= read !== undefined && this.#isSelected(read);
    this.#assume(assumed);
    if (!this.#assumptions.isEmpty && read !== undefined) {
      this.#assume(this.#assumptions.about(read.prepared));
    }
    return silent;
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
    // Policies of the background are not evaluated for refused objects.
    const background = this.#hasDenied ? backgroundPolicies(this.#chain) : [];
    const used = new Set([...this.#policies, ...background]);
    const unused = (all: readonly string[], others: ReadonlySet<string>): readonly string[] =>
      [...new Set(all)].filter((name) => !others.has(name)).sort();
    const assumed = this.#chain.plugins?.assumed();
    const failed = this.#failedBindings();
    return {
      ...(assumed === undefined ? {} : { assumedByPlugins: assumed }),
      ...(failed.sentences.length === 0 ? {} : { failedPolicies: failed.sentences }),
      ...(this.#invalidObjects === 0 ? {} : { invalidObjects: this.#invalidObjects }),
      unusedPolicies: unused(names, used),
      unusedBindings: unused(
        this.#chain.bindings.map((binding) => metadataString(binding, 'name')),
        new Set([...this.#bindings, ...this.#withoutParameters, ...failed.bindings]),
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

  /** The bindings that were not evaluated because their policy failed, and one sentence for each policy. */
  #failedBindings(): {
    readonly bindings: readonly string[];
    readonly sentences: readonly string[];
  } {
    const bindings: string[] = [];
    const sentences: string[] = [];
    for (const [policy, message] of this.#failed) {
      const own = this.#chain.bindings
        .filter((binding) => memberText(member(binding, 'spec'), 'policyName') === policy)
        .map((binding) => metadataString(binding, 'name'))
        .filter((name) => !this.#bindings.has(name));
      if (own.length === 0) continue;
      bindings.push(...own);
      const which = own.length === 1 ? 'binding was' : 'bindings were';
      const names = own.join(', ');
      sentences.push(
        `policy ${policy} failed, so its ${which} not evaluated (${names}): ${message}`,
      );
    }
    return { bindings, sentences };
  }

  #recordPolicy({ policy, outcome, message = '', bindings }: PolicyTrace): void {
    if (outcome !== 'noMatch') this.#policies.add(policy);
    if (outcome === 'error' && !this.#failed.has(policy)) this.#failed.set(policy, message);
    for (const each of bindings) {
      if (each.outcome === 'noMatch') continue;
      (foundNoParameters(each) ? this.#withoutParameters : this.#bindings).add(each.binding);
    }
  }
}
