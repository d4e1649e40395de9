import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { Located } from './object-writer.ts';
import { type Owner, ownerOf, workKey } from './owner.ts';

/** A generated object of the cluster. */
export interface GeneratedObject extends Located {
  readonly key: string;
  readonly owner: Owner;
}

/** The generated objects of a cluster, by identity and by the policy and trigger that generated them. */
export class GeneratedIndex {
  readonly #objects: Map<string, GeneratedObject> = new Map();
  readonly #ofWork: Map<string, Set<string>> = new Map();

  /** The keys of the work that generated objects. */
  get works(): Iterable<string> {
    return this.#ofWork.keys();
  }

  get(key: string): GeneratedObject | undefined {
    return this.#objects.get(key);
  }

  /** The objects that a policy generated because of a trigger. */
  of(work: string): readonly GeneratedObject[] {
    return [...(this.#ofWork.get(work) ?? [])].flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** Takes over a change; returns the keys of the affected work. */
  change(
    { object, resource }: Located,
    isDeleted: boolean,
    hasPolicy: (key: string) => boolean,
  ): readonly string[] {
    const key = objectKey(object);
    const before = this.#remove(key);
    const owner = isDeleted ? undefined : ownerOf(object, hasPolicy);
    const after = owner && workKey(owner.policy, owner.triggerUid);
    if (owner !== undefined && after !== undefined) {
      this.#objects.set(key, { key, object, resource, owner });
      getOrMake(this.#ofWork, after, () => new Set()).add(key);
    }
    return [...new Set([before, after])].filter((work) => work !== undefined);
  }

  /** Finds the owners of all objects again, since other policies exist. */
  renew(hasPolicy: (key: string) => boolean): void {
    for (const known of [...this.#objects.values()]) this.change(known, false, hasPolicy);
  }

  /** Forgets the objects of resources other than those with these paths; returns their keys. */
  retain(served: ReadonlySet<string>): readonly string[] {
    const gone = [...this.#objects.values()].filter(({ resource }) => !served.has(resource.path));
    for (const { key } of gone) this.#remove(key);
    return gone.map(({ key }) => key);
  }

  #remove(key: string): string | undefined {
    const known = this.#objects.get(key);
    if (known === undefined) return undefined;
    const work = workKey(known.owner.policy, known.owner.triggerUid);
    const keys = this.#ofWork.get(work);
    keys?.delete(key);
    if (keys?.size === 0) this.#ofWork.delete(work);
    this.#objects.delete(key);
    return work;
  }
}

/** Returns the identity of an object, the same in all versions of its kind. */
export function objectKey(object: KubernetesObject): string {
  const { group = '', kind = '' } = kindOfObject(object) ?? {};
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  return `${group}/${kind}/${namespace}/${name}`;
}
