import { errorText } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { NamespaceLookup } from '../cluster/namespace-lookup.ts';
import type { Generation } from '../policies/generation.ts';
import type { NamespaceChange } from '../policies/live-namespaces.ts';

/** When the namespace of a request is read from the API server. */
export type NamespaceMode = 'watch' | 'live';

/** The result of a lookup. */
export type LookupResult = 'found' | 'missing' | 'failed';

/** The dependencies of a reader of namespaces. */
export interface RequestNamespacesOptions {
  readonly lookup: NamespaceLookup;
  readonly mode: NamespaceMode;
  take(changes: readonly NamespaceChange[]): void;
  /** Called after a lookup; `problem` says why it failed. */
  looked(result: LookupResult, problem?: string): void;
}

/**
 * Ensures that the namespace of a request is known before the request is decided.
 *
 * A namespace that the watch has not reported yet is read from the API server; with `live`, each one is.
 */
export class RequestNamespaces {
  readonly #options: RequestNamespacesOptions;

  constructor(options: RequestNamespacesOptions) {
    this.#options = options;
  }

  /** Whether the namespace has to be read before the request is decided. */
  isDue({ namespace, kind }: AdmissionRequest, { chain }: Generation): boolean {
    if (namespace === undefined || namespace === '') return false;
    if (kind?.kind === 'Namespace' && kind.group === '') return false;
    return this.#options.mode === 'live' || !chain.cluster.namespaces.has(namespace);
  }

  /** Reads the namespace until the deadline, a time of `performance.now()`; never rejects. */
  async read({ namespace = '' }: AdmissionRequest, deadline: number): Promise<void> {
    const { lookup, mode, take, looked } = this.#options;
    const milliseconds = deadline - performance.now();
    try {
      const found = await lookup[mode === 'live' ? 'fresh' : 'shared'](namespace, milliseconds);
      if (found !== undefined) take([found]);
      looked(found === undefined ? 'missing' : 'found');
    } catch (error) {
      looked('failed', errorText(error));
    }
  }
}
