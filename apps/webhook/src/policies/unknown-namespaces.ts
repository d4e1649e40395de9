import type { PreparedRequest } from '@kubeadmit/admission';
import type { Chain } from '@kubeadmit/chain';
import { assumedNamespaceTexts, NamespaceAssumptions } from '@kubeadmit/chain/unstable-internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Problem } from './snapshot.ts';

/**
 * Reports selectors that need labels of namespaces which are in no file and no cluster.
 *
 * Such a namespace is assumed to have only its name, so a selector may miss objects that it should match.
 */
export class UnknownNamespaces {
  readonly #chain: Chain;
  readonly #native: NamespaceAssumptions;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#native = new NamespaceAssumptions(chain);
  }

  /** The warnings that are known before any request. */
  get notes(): readonly Problem[] {
    const selectors = [
      ...this.#native.selectors,
      ...(this.#chain.kyverno?.assumptions.selectors ?? []),
    ];
    if (this.#chain.cluster.namespaces.size > 0) return [];
    return selectors.map((selector) => ({
      place: 'policies',
      message: `${selector} selects namespaces by label, but the files contain no Namespace; add the namespaces, or follow a cluster`,
    }));
  }

  /** Returns a sentence for each selector that needs labels of the request's unknown namespace. */
  about(prepared: PreparedRequest, request: AdmissionRequest): readonly string[] {
    const assumed = [
      ...this.#native.about(prepared),
      ...(this.#chain.kyverno?.assumptions.about(request) ?? []),
    ];
    return assumed.flatMap((selector) => assumedNamespaceTexts([selector]));
  }
}
