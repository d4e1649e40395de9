import type { PreparedRequest } from '@kubeadmit/admission';
import type { Chain } from '@kubeadmit/check/chain';
import { NamespaceAssumptions } from '@kubeadmit/check/internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Problem } from './snapshot.ts';

/**
 * What selectors ask about namespaces that no file gives and no cluster tells of: such a namespace is taken to have its
 * name alone, so that a selector may pass over what it is meant for.
 */
export class UnknownNamespaces {
  readonly #chain: Chain;
  readonly #native: NamespaceAssumptions;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#native = new NamespaceAssumptions(chain);
  }

  /** What can be said before there is a request. */
  get notes(): readonly Problem[] {
    const selectors = [
      ...this.#native.selectors,
      ...(this.#chain.kyverno?.assumptions.selectors ?? []),
    ];
    if (this.#chain.cluster.namespaces.size > 0) return [];
    return selectors.map((selector) => ({
      place: 'policies',
      message: `${selector} asks about labels of namespaces, and no file has any Namespace: put them beside the policies, or follow a cluster`,
    }));
  }

  /** A sentence for each selector that asks about the namespace of a request, which nobody gave. */
  about(prepared: PreparedRequest, request: AdmissionRequest): readonly string[] {
    return [
      ...this.#native.about(prepared),
      ...(this.#chain.kyverno?.assumptions.about(request) ?? []),
    ];
  }
}
