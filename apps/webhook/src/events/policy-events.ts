import { createHash } from 'node:crypto';
import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { ObjectReference } from '../cluster/object-reference.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import type { Problem, Snapshot } from '../policies/snapshot.ts';
import type { Clock } from './denial-events.ts';
import { eventsPath, eventText } from './event-object.ts';

const exists = 409;
const lastMilliseconds = 2_000;

/** The dependencies of the reporter of invalid policies. */
export interface PolicyEventsOptions {
  readonly client: Pick<ApiClient, 'ask'>;
  readonly listener: OutboxListener;
  /** The pod of this process, for problems with files; absent outside of a cluster. */
  readonly pod: ObjectReference | undefined;
  /** Default `Date.now`. */
  readonly clock?: Clock;
}

/**
 * Reports policies that cannot be used as events with the reason `PolicyInvalid`: about the policy if it is in the
 * cluster, otherwise about the pod.
 *
 * Each problem is reported once while it lasts. Replicas give the same event the same name, so one of them creates it.
 */
export class PolicyEvents {
  readonly #options: PolicyEventsOptions;
  readonly #outbox: Outbox;
  #told: ReadonlySet<string> = new Set();

  constructor(options: PolicyEventsOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.listener);
  }

  /** Reports the problems of a snapshot that are new. */
  tell(problems: readonly Problem[], { clusterObjects = [] }: Snapshot): void {
    const told = new Set<string>();
    for (const problem of problems) {
      const key = JSON.stringify(problem);
      told.add(key);
      if (this.#told.has(key)) continue;
      const text = clusterObjects.find(({ name }) => name === problem.source)?.text;
      const regarding = text === undefined ? this.#options.pod : referenceTo(text);
      if (regarding !== undefined) this.#write(problem, regarding);
    }
    this.#told = told;
  }

  /** Writes the remaining events, within a short time limit. */
  async stop(): Promise<void> {
    await this.#outbox.close(lastMilliseconds);
  }

  #write({ place, message, source }: Problem, regarding: ObjectReference): void {
    const { client, clock = Date.now } = this.#options;
    const key = JSON.stringify([regarding, place, message]);
    const name = `policy-invalid.${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
    const body = eventText({
      name,
      time: clock(),
      reason: 'PolicyInvalid',
      action: 'Load',
      note: source === undefined ? `${place}: ${message}` : message,
      regarding,
    });
    this.#outbox.put(key, async () => {
      try {
        await client.ask(eventsPath(regarding), { method: 'POST', body });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === exists)) throw error;
      }
    });
  }
}

function referenceTo(text: string): ObjectReference {
  const object = parseJson(text) as KubernetesObject;
  const namespace = metadataString(object, 'namespace');
  return {
    apiVersion: String(object['apiVersion']),
    kind: String(object['kind']),
    name: metadataString(object, 'name'),
    ...(namespace === '' ? {} : { namespace }),
    uid: metadataString(object, 'uid'),
  };
}
