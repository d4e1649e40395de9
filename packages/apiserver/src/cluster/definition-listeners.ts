import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import { nameOf } from '../objects/metadata.ts';

/** Calls back when a definition is no longer served as before. */
export class DefinitionListeners {
  readonly #listeners: Map<string, Set<() => void>> = new Map();

  /** Adds a listener for the definition of a name; returns the function that removes it. */
  add(name: string, listener: () => void): () => void {
    const own = getOrMake(this.#listeners, name, () => new Set<() => void>());
    own.add(listener);
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.#listeners.get(name) === own) this.#listeners.delete(name);
    };
  }

  /** Calls the listeners of a definition if its spec or its accepted names changed, or it is gone. */
  change(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    if (before === undefined) return;
    if (after !== undefined && isServedAlike(before, after)) return;
    for (const listener of this.#listeners.get(nameOf(before)) ?? []) listener();
  }
}

function isServedAlike(before: KubernetesObject, after: KubernetesObject): boolean {
  const [one, other] = [before, after].map((definition) => [
    definition['spec'],
    member(member(definition, 'status'), 'acceptedNames'),
  ]);
  return deepEqual(one, other);
}
