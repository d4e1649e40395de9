import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { Response } from '@kubeadmit/chain/kyverno-resources';
import type { ApiClient } from '../cluster/api-client.ts';
import { type ObjectReference, requestedObject } from '../cluster/object-reference.ts';
import type { OutboxListener } from '../cluster/outbox.ts';
import type { Generation } from '../policies/generation.ts';
import { kyvernoPolicyOf } from '../policies/kyverno-policy.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import { kyvernoEvents } from './kyverno-event.ts';
import { KyvernoEventWriter } from './kyverno-event-writer.ts';

/** Reports the results of Kyverno's policies for requests and in scans as Kyverno's own events. */
export class KyvernoEvents {
  readonly #writer: KyvernoEventWriter;
  readonly #policies: PolicyStore;

  constructor(client: Pick<ApiClient, 'ask'>, listener: OutboxListener, policies: PolicyStore) {
    this.#writer = new KyvernoEventWriter(client, listener);
    this.#policies = policies;
  }

  /** Reports the results for a request. */
  decided({
    review,
    decision,
    generation,
  }: Pick<DecidedReview, 'review' | 'decision' | 'generation'>): void {
    const { responses, denial } = decision;
    const { request } = review;
    if (responses.length === 0 || request.dryRun === true) return;
    // An object that only gets its name from the server has no events.
    const object = requestedObject(request);
    const events = kyvernoEvents(responses, {
      reporter: 'kyverno-admission',
      object,
      isBlocked: denial !== undefined,
      policyOf: (response) => policyReference(generation, response),
    });
    this.#writer.tell(events);
  }

  /** Reports the results of a scan for an object. */
  scanned(object: ObjectReference, responses: readonly Response[]): void {
    const generation = this.#policies.current;
    if (generation === undefined) return;
    const events = kyvernoEvents(responses, {
      reporter: 'kyverno-scan',
      object,
      isBlocked: false,
      policyOf: (response) => policyReference(generation, response),
    });
    this.#writer.tell(events);
  }

  /** Writes the remaining events, within a short time limit. */
  async stop(): Promise<void> {
    await this.#writer.stop();
  }
}

function policyReference(generation: Generation, response: Response): ObjectReference | undefined {
  const policy = kyvernoPolicyOf(generation, response);
  return policy && referenceTo(policy);
}

function referenceTo(object: KubernetesObject): ObjectReference {
  const namespace = metadataString(object, 'namespace');
  return {
    apiVersion: String(object['apiVersion']),
    kind: String(object['kind']),
    name: metadataString(object, 'name'),
    ...(namespace === '' ? {} : { namespace }),
    uid: metadataString(object, 'uid'),
  };
}
