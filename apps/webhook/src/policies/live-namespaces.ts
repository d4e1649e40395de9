import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { setNamespace } from '@kubeadmit/chain/unstable-internal';
import type { Generation } from './generation.ts';
import { LastChanges } from './last-changes.ts';

/** A namespace that was created or changed, or one that was deleted; in a form that other processes understand. */
export interface NamespaceChange {
  readonly name: string;
  readonly resourceVersion: string;
  /** The namespace as JSON; absent for one that was deleted. */
  readonly text?: string | undefined;
}

interface Known {
  readonly resourceVersion: string;
  readonly object: KubernetesObject | undefined;
}

/** The namespaces of a cluster as they are now, whatever a set of policies was loaded with. */
export class LiveNamespaces {
  readonly #known: LastChanges<Known> = new LastChanges();

  /** Records changes, and makes them visible to later requests of the set in use. */
  take(changes: readonly NamespaceChange[], acting: Generation | undefined): void {
    for (const { name, resourceVersion, text } of changes) {
      const before = this.#known.get(name);
      if (before !== undefined && isOlder(resourceVersion, before.resourceVersion)) continue;
      const object = text === undefined ? undefined : (parseJson(text) as KubernetesObject);
      this.#known.set(name, { resourceVersion, object }, object === undefined);
      if (acting !== undefined) setNamespace(acting.chain, name, object);
    }
  }

  /** Updates a set that was loaded in the meantime. */
  refresh({ chain }: Generation): void {
    for (const [name, { resourceVersion, object }] of this.#known.entries()) {
      const loaded = chain.cluster.namespaces.get(name);
      const isSame =
        object === undefined
          ? loaded === undefined
          : loaded !== undefined && metadataString(loaded, 'resourceVersion') === resourceVersion;
      if (!isSame) setNamespace(chain, name, object);
    }
  }
}

// A lookup may be ahead of the watch. From Kubernetes 1.35 on, clients may compare versions of one resource.
function isOlder(version: string, other: string): boolean {
  return /^\d+$/.test(version) && /^\d+$/.test(other) && BigInt(version) < BigInt(other);
}
