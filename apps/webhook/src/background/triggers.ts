import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import type { Generator, StoredObject } from '@kubeadmit/chain/internal';
import { isExempt } from '../review/exempt.ts';
import type { ServedResource } from './discovery.ts';

/** An object because of which policies act. */
export interface Trigger extends StoredObject {
  readonly resource: ServedResource;
}

/** The triggers of a cluster by uid. */
export class Triggers {
  readonly #triggers: Map<string, Trigger> = new Map();
  readonly #excludedNamespaces: ReadonlySet<string>;

  constructor(excludedNamespaces: ReadonlySet<string>) {
    this.#excludedNamespaces = excludedNamespaces;
  }

  get(uid: string): Trigger | undefined {
    return this.#triggers.get(uid);
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

  /** Takes over a change; returns false for an object in an excluded namespace. */
  change(trigger: Trigger, isDeleted: boolean): boolean {
    if (this.#isExcluded(trigger)) return false;
    const uid = metadataString(trigger.object, 'uid');
    if (isDeleted) this.#triggers.delete(uid);
    else this.#triggers.set(uid, trigger);
    return true;
  }

  #isExcluded({ object, resource: { group, resource } }: Trigger): boolean {
    const isNamespace = group === '' && resource === 'namespaces';
    const namespace = metadataString(object, isNamespace ? 'name' : 'namespace');
    return this.#excludedNamespaces.has(namespace);
  }
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
