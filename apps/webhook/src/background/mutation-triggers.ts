import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import {
  isChangedSince,
  isNewerThanChange,
  type Mutator,
  type TriggerChange,
} from '@kubeadmit/chain/kyverno-background';
import { deepEqual } from '@kubeadmit/go';
import type { Json } from '@kubeadmit/mutator';
import type { ServedResource } from '../cluster/discovery.ts';
import { withMetadata } from './object-writer.ts';
import { mayTrigger, type Trigger } from './triggers.ts';
import type { WatchedChange } from './watches.ts';

/** A change of a trigger as a watch reports it. */
export interface ObservedChange extends Pick<TriggerChange, 'operation' | 'oldObject'> {
  readonly object: KubernetesObject;
  readonly resource: ServedResource;
}

/** The triggers of a cluster, and how they changed. */
export class MutationTriggers {
  readonly #triggers: Map<string, Trigger> = new Map();

  /** The triggers that a policy may match. */
  *of(mutator: Mutator): Iterable<Trigger> {
    for (const trigger of this.#triggers.values()) {
      if (mayTrigger(mutator, trigger.resource)) yield trigger;
    }
  }

  /** Forgets the triggers of resources that are not watched any more. */
  retain(isWatched: (resource: ServedResource) => boolean): void {
    for (const [uid, { resource }] of this.#triggers) {
      if (!isWatched(resource)) this.#triggers.delete(uid);
    }
  }

  /** Takes over a change; returns it unless it only concerns the status, or the history is unknown. */
  change(
    object: KubernetesObject,
    { isDeleted, isFirst, watched: { resource } }: WatchedChange,
  ): ObservedChange | undefined {
    const uid = metadataString(object, 'uid');
    const before = this.#triggers.get(uid)?.object;
    if (isDeleted) this.#triggers.delete(uid);
    else this.#triggers.set(uid, { object, resource });
    if (isDeleted) return { object, resource, operation: 'DELETE' };
    if (before === undefined) {
      return isFirst ? undefined : { object, resource, operation: 'CREATE' };
    }
    if (isSameRequest(before, object)) return undefined;
    return { object, resource, operation: 'UPDATE', oldObject: before };
  }
}

/** Returns the change of a trigger since a time and since the last change of a policy; `undefined` if it is older. */
export function changeSince(
  { object, resource }: Trigger,
  policy: KubernetesObject,
  time: string,
): ObservedChange | undefined {
  if (!isChangedSince(object, time) || !isNewerThanChange(policy, object)) return undefined;
  const isNew = metadataString(object, 'creationTimestamp') >= time;
  return { object, resource, operation: isNew ? 'CREATE' : 'UPDATE' };
}

// Changes of the status are other requests.
function isSameRequest(before: KubernetesObject, after: KubernetesObject): boolean {
  return deepEqual(requested(before), requested(after));
}

/** Returns the fields of an object that a request sets, without its status and the fields of the server. */
export function requested(object: KubernetesObject): Json {
  const ofServer = { resourceVersion: undefined, managedFields: undefined, generation: undefined };
  const { status: _, ...rest } = withMetadata(object as JsonObject, ofServer);
  return rest as Json;
}
