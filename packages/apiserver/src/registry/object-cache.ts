import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { withMetadata } from '../objects/metadata.ts';
import type { StoredEntry } from '../store/store.ts';

const capacity = 50_000;

/**
 * The objects of stored entries, parsed once.
 *
 * INVARIANT: nobody changes an object that comes from here.
 */
export class ObjectCache {
  private readonly objects: Map<string, { revision: number; object: KubernetesObject }> = new Map();

  /** The object of an entry, with the entry's revision as its resource version. */
  objectOf({ key, value, revision }: StoredEntry): KubernetesObject {
    const known = this.objects.get(key);
    if (known?.revision === revision) return known.object;
    const object = versioned(
      parseJson(value, { wholeDoubles: true }) as KubernetesObject,
      revision,
    );
    if (known === undefined || known.revision < revision) this.keep(key, revision, object);
    return object;
  }

  private keep(key: string, revision: number, object: KubernetesObject): void {
    this.objects.delete(key);
    this.objects.set(key, { revision, object });
    if (this.objects.size <= capacity) return;
    const [oldest] = this.objects.keys();
    if (oldest !== undefined) this.objects.delete(oldest);
  }
}

/** An object with a resource version. */
function versioned(object: KubernetesObject, revision: number): KubernetesObject {
  return withMetadata(object, { resourceVersion: String(revision) });
}
