import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { NamespaceLookup } from '../cluster/namespace-lookup.ts';
import type { Generation } from '../policies/generation.ts';
import type { NamespaceChange } from '../policies/live-namespaces.ts';

/** When the namespace of a request is read from the API server. */
export type NamespaceMode = 'watch' | 'live';

/**
 * How long a request waits for changes of its namespace that the watch has not reported yet, in milliseconds. Without
 * it, about 1 in 70 objects that were created right after a change of labels escaped a policy; with it, none of 500.
 */
const watchDelay = 2;

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
 * A namespace that the watch has not reported yet is read from the API server; with `live`, each one is. With `watch`,
 * a request waits for a moment if the policies read known namespaces, so that changes made just before it apply.
 */
export class RequestNamespaces {
  readonly #options: RequestNamespacesOptions;

  constructor(options: RequestNamespacesOptions) {
    this.#options = options;
  }

  /** Whether the request has to wait for its namespace. */
  isDue(request: AdmissionRequest, generation: Generation): boolean {
    const { namespace, kind } = request;
    if (namespace === undefined || namespace === '') return false;
    if (kind?.kind === 'Namespace' && kind.group === '') return false;
    return this.#isLookedUp(namespace, generation) || generation.readsNamespaces;
  }

  #isLookedUp(namespace: string, { chain }: Generation): boolean {
    return this.#options.mode === 'live' || !chain.cluster.namespaces.has(namespace);
  }

  /** Waits for the namespace until the deadline, a time of `performance.now()`; never rejects. */
  async wait(
    { namespace = '' }: AdmissionRequest,
    generation: Generation,
    deadline: number,
  ): Promise<void> {
    if (!this.#isLookedUp(namespace, generation)) {
      await sleep(watchDelay);
      return;
    }
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
