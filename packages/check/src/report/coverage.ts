import type { PolicyTrace } from '@kubeadmit/admission/internal';
import { metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { type CompiledMatch, compileMatch, matchRequest } from '@kubeadmit/matcher';
import { boundPolicies } from '../chain/bound-policies.ts';
import type { Chain } from '../chain/chain.ts';
import type { Passage } from '../chain/pass-request.ts';
import type { ChainRequest } from '../chain/request.ts';
import { NamespaceAssumptions } from './assumed-namespaces.ts';
import { foundNoParameters } from './findings.ts';

/** Which policies and bindings matched nothing, and which namespaces were missing. */
export interface Coverage {
  /** The names of policies that matched no object. */
  readonly unusedPolicies: readonly string[];
  /** The names of bindings that matched no object. */
  readonly unusedBindings: readonly string[];
  /** Bindings that matched objects but found no parameters, so that their policies were not evaluated. */
  readonly bindingsWithoutParameters: readonly string[];
  /** One sentence for each selector that needs the labels of a namespace that is not among the inputs. */
  readonly assumedNamespaces: readonly string[];
}

/** The names of what requests used of policies; it can be sent from one thread to another. */
export interface UsedPolicies {
  /** Empty until a policy judges an object; see {@link CoverageRecorder.hasJudged}. */
  readonly judges: Set<string>;
  readonly policies: Set<string>;
  readonly bindings: Set<string>;
  readonly withoutParameters: Set<string>;
  readonly assumedNamespaces: Set<string>;
}

/** The sets before any request. */
export function nothingUsed(): UsedPolicies {
  return {
    judges: new Set(),
    policies: new Set(),
    bindings: new Set(),
    withoutParameters: new Set(),
    assumedNamespaces: new Set(),
  };
}

/** The entry of {@link UsedPolicies.judges}: which policy it was does not matter. */
const anyJudge = 'any';

/** The match constraints of the native policies that have a binding. */
function boundConstraints(chain: Chain): readonly CompiledMatch[] {
  return boundPolicies(chain).map(({ spec }) => compileMatch(spec?.matchConstraints ?? {}));
}

/** Takes down what requests make of policies, one after another. */
export class CoverageRecorder {
  readonly #chain: Chain;
  #used = nothingUsed();
  #constraints: readonly CompiledMatch[] | undefined;
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
    const { policies, judges, assumedNamespaces } = this.#used;
    for (const { policy } of findings) policies.add(policy);
    for (const policy of trace) this.#recordPolicy(policy);
    if (policies.size > 0) judges.add(anyJudge);
    if (failure !== undefined) return;
    if (!this.hasJudged && read !== undefined && this.#isSelected(read)) judges.add(anyJudge);
    for (const text of this.#chain.kyverno?.assumptions.about(request) ?? []) {
      assumedNamespaces.add(text);
    }
    if (this.#assumptions.isEmpty || read === undefined) return;
    for (const text of this.#assumptions.about(read.prepared)) assumedNamespaces.add(text);
  }

  /** Returns the records since the last call, and starts again. */
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

  /** Returns the result, with policies and bindings in the order of their names. */
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

  /**
   * Whether any policy judged an object: the match constraints of a native policy with a binding, or the match block of
   * a Kyverno rule, selected it. A selector that had to guess the labels of a missing namespace does not count.
   */
  get hasJudged(): boolean {
    return this.#used.judges.size > 0;
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
    const used = this.#used;
    if (outcome !== 'noMatch') used.policies.add(policy);
    for (const each of bindings) {
      if (each.outcome === 'noMatch') continue;
      (foundNoParameters(each) ? used.withoutParameters : used.bindings).add(each.binding);
    }
  }
}
