import { type Chain, passRequest } from '@kubeadmit/chain';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Branch, BranchProbe } from './branches.ts';

/** A condition of which a search knows one outcome only. */
export interface Unreached extends Branch {
  /** The outcome that was never seen. */
  readonly never: 'true' | 'false';
}

const mostKept = 400;

/** Keeps requests that took branches as none before them did. */
export class Guide {
  readonly requests: AdmissionRequest[] = [];
  readonly #seen: Set<string> = new Set();
  readonly #wasTrue: Set<number> = new Set();
  readonly #wasFalse: Set<number> = new Set();
  readonly #probe: BranchProbe;
  readonly #chain: Chain;

  constructor(probe: BranchProbe, chain: Chain) {
    this.#probe = probe;
    this.#chain = chain;
  }

  /** Looks at the branches that a request takes, and keeps it where they are new. */
  learn(request: AdmissionRequest, said: string): void {
    const taken: string[] = [];
    for (const { policy, bindings } of passRequest(this.#chain, request).trace) {
      const numbers = this.#probe.branchesOf.get(policy) ?? [];
      const decisions = bindings.flatMap(({ evaluations }) => evaluations[0]?.decisions ?? []);
      for (const [at, { evaluation }] of decisions.entries()) {
        const branch = numbers[at] ?? -1;
        if (evaluation === 'admitted') this.#wasTrue.add(branch);
        if (evaluation === 'denied') this.#wasFalse.add(branch);
        taken.push(`${branch} ${evaluation}`);
      }
    }
    const text = `${request.kind?.kind} ${said} ${taken.join()}`;
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.requests.push(request);
    if (this.requests.length > mostKept) this.requests.shift();
  }

  /** The conditions that were never true, or never false. */
  unreached(): readonly Unreached[] {
    const found = new Map<string, Unreached>();
    for (const [at, branch] of this.#probe.branches.entries()) {
      const never = !this.#wasTrue.has(at) ? 'true' : this.#wasFalse.has(at) ? undefined : 'false';
      // Both sides may ask the same.
      if (never !== undefined) found.set(JSON.stringify(branch), { ...branch, never });
    }
    return [...found.values()];
  }
}
