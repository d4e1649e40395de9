import { createHash } from 'node:crypto';
import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { policyKey } from '@kubeadmit/chain/kyverno-background';
import type { BackgroundProblem } from '../background/problems.ts';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import { eventsPath, eventText } from './event-object.ts';

const exists = 409;
const lastMilliseconds = 2_000;

/** The dependencies of the reporter of background problems. */
export interface BackgroundEventsOptions {
  readonly client: Pick<ApiClient, 'ask'>;
  readonly listener: OutboxListener;
  /** Returns the policies of the cluster. */
  readonly policies: () => readonly KubernetesObject[];
  /** Whether events have the form of Kyverno's. */
  readonly asKyverno: boolean;
}

/**
 * Reports background work that cannot be done, as events about the policy with the reason `BackgroundFailed`
 * (`PolicyError` in the form of Kyverno's events).
 */
export class BackgroundEvents {
  readonly #options: BackgroundEventsOptions;
  readonly #outbox: Outbox;

  constructor(options: BackgroundEventsOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.listener);
  }

  /** Reports a problem of a policy in the cluster; each text is reported once. */
  tell({ policy: key, message, task = 'generate' }: BackgroundProblem): void {
    const { client, policies, asKyverno } = this.#options;
    const policy = policies().find((object) => policyKey(object) === key);
    if (policy === undefined) return;
    const [name, namespace, uid] = ['name', 'namespace', 'uid'].map((field) =>
      metadataString(policy, field),
    );
    const regarding = {
      apiVersion: String(policy['apiVersion']),
      kind: String(policy['kind']),
      name: String(name),
      ...(namespace === '' ? {} : { namespace: String(namespace) }),
      uid: String(uid),
    };
    const hash = createHash('sha256')
      .update(JSON.stringify([regarding, message]))
      .digest('hex');
    const event = {
      name: `background-failed.${hash.slice(0, 20)}`,
      time: Date.now(),
      regarding,
      ...(asKyverno
        ? {
            reason: 'PolicyError',
            action: 'None',
            note: `policy ${name} error: ${message}`,
            reportingController: `kyverno-${task}`,
          }
        : { reason: 'BackgroundFailed', action: 'Reconcile', note: message }),
    };
    this.#outbox.put(event.name, async () => {
      try {
        await client.ask(eventsPath(regarding), { method: 'POST', body: eventText(event) });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === exists)) throw error;
      }
    });
  }

  /** Writes the waiting events for at most two seconds. */
  async stop(): Promise<void> {
    await this.#outbox.close(lastMilliseconds);
  }
}
