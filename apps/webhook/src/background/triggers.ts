import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import type { Generator, StoredObject } from '@kubeadmit/chain/kyverno-background';
import type { ServedResource } from '../cluster/discovery.ts';
import { isExempt } from '../review/exempt.ts';
import type { Located } from './object-writer.ts';

/** An object because of which policies act. */
export interface Trigger extends StoredObject {
  readonly resource: ServedResource;
}

/** The triggers of a cluster by uid. */
export class Triggers {
  readonly #triggers: Map<string, Trigger> = new Map();
  /** Those in excluded namespaces, because of which nothing is changed. */
  readonly #excluded: Map<string, Trigger> = new Map();
  readonly #excludedNamespaces: ReadonlySet<string>;

  constructor(excludedNamespaces: ReadonlySet<string>) {
    this.#excludedNamespaces = excludedNamespaces;
  }

  get(uid: string): Trigger | undefined {
    return this.#triggers.get(uid);
  }

  /** Whether an object with a uid exists in an excluded namespace. */
  isExcluded(uid: string): boolean {
    return this.#excluded.has(uid);
  }

  /** The triggers of a namespace. */
  *within(namespace: string): Iterable<readonly [string, Trigger]> {
    for (const entry of this.#triggers) {
      if (metadataString(entry[1].object, 'namespace') === namespace) yield entry;
    }
  }

  /** The uids of the triggers that a policy may match. */
  *of(generator: Generator): Iterable<string> {
    for (const [uid, { resource }] of this.#triggers) {
      if (mayTrigger(generator, resource)) yield uid;
    }
  }

  /** Forgets the triggers of resources that are not watched any more. */
  retain(isWatched: (resource: ServedResource) => boolean): void {
    for (const triggers of [this.#triggers, this.#excluded]) {
      for (const [uid, { resource }] of triggers) if (!isWatched(resource)) triggers.delete(uid);
    }
  }

  /** Takes over a change; returns false for an object in an excluded namespace. */
  change(trigger: Trigger, isDeleted: boolean): boolean {
    const isExcluded = isInExcludedNamespace(trigger, this.#excludedNamespaces);
    const triggers = isExcluded ? this.#excluded : this.#triggers;
    const uid = metadataString(trigger.object, 'uid');
    if (isDeleted) triggers.delete(uid);
    else triggers.set(uid, trigger);
    return !isExcluded;
  }
}

/** Whether an object is in an excluded namespace, or is one. */
export function isInExcludedNamespace(
  { object, resource: { group, resource } }: Located,
  excludedNamespaces: ReadonlySet<string>,
): boolean {
  const isNamespace = group === '' && resource === 'namespaces';
  return excludedNamespaces.has(metadataString(object, isNamespace ? 'name' : 'namespace'));
}

/** Whether objects of a resource may trigger a policy; policies, events and leases never do. */
export function mayTrigger(
  generator: Pick<Generator, 'mayTrigger'>,
  resource: ServedResource,
): boolean {
  return generator.mayTrigger(resource) && !isExempt({ resource, namespace: '' }, new Set());
}

/** The name of an object in messages: `Namespace shop`. */
export function subjectName(object: KubernetesObject): string {
  const { kind = '' } = kindOfObject(object) ?? {};
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
