import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { Finding } from '@kubeadmit/chain';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { ApiClient } from '../cluster/api-client.ts';
import { type ObjectReference, requestedObject } from '../cluster/object-reference.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import { eventsPath, eventText, microTime } from './event-object.ts';

// The duration of an event series (events.k8s.io), and the interval at which its count is written.
const seriesMilliseconds = 10 * 60_000;
const countMilliseconds = 10_000;
const mostSeries = 2_000;
const longestName = 100;
const lastMilliseconds = 2_000;

interface Series {
  readonly path: string;
  count: number;
  last: number;
  counting: NodeJS.Timeout | undefined;
}

/** When denials happen: milliseconds since 1970. */
export type Clock = () => number;

/** How denials are reported. */
export interface DenialEventsOptions {
  /** Default `Date.now`. */
  readonly clock?: Clock;
  /** Whether denials by Kyverno's policies have events in Kyverno's form (default: no). */
  readonly asKyverno?: boolean;
}

/**
 * Reports denials as events of the cluster.
 *
 * There is one event for each object and policy that denied it, in the object's namespace (`default` for objects
 * without one). Repetitions within ten minutes are counted. Dry runs are not reported.
 */
export class DenialEvents {
  readonly #client: Pick<ApiClient, 'ask'>;
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #series: Map<string, Series> = new Map();
  #last = 0;

  readonly #asKyverno: boolean;

  constructor(
    client: Pick<ApiClient, 'ask'>,
    listener: OutboxListener,
    { clock = Date.now, asKyverno = false }: DenialEventsOptions = {},
  ) {
    this.#client = client;
    this.#outbox = new Outbox(listener);
    this.#clock = clock;
    this.#asKyverno = asKyverno;
  }

  /** Reports a decision if policies denied the request. */
  tell({ review, decision }: Pick<DecidedReview, 'review' | 'decision'>): void {
    const { request } = review;
    if (decision.denial === undefined || request.dryRun === true) return;
    const regarding = regardedObject(request);
    const findings = this.#asKyverno ? decision.nativeFindings() : decision.findings();
    for (const finding of findings) {
      if (finding.verdict !== 'deny' && finding.verdict !== 'error') continue;
      this.#tellOf(regarding, finding, String(request.operation));
    }
  }

  /** Writes the remaining events, within a short time limit. */
  async stop(): Promise<void> {
    for (const { counting } of this.#series.values()) clearTimeout(counting);
    await this.#outbox.close(lastMilliseconds);
  }

  #tellOf(regarding: ObjectReference, finding: Finding, operation: string): void {
    const { policy, binding = '', rule = '', params = '', message = '' } = finding;
    const key = JSON.stringify([regarding, policy, binding, rule, params, message, operation]);
    const now = this.#clock();
    const before = this.#series.get(key);
    if (before !== undefined && now - before.last < seriesMilliseconds) {
      before.count++;
      before.last = now;
      before.counting ??= setTimeout(
        () => this.#writeCount(key, before),
        countMilliseconds,
      ).unref();
      return;
    }
    if (this.#series.size >= mostSeries) this.#forget();
    const name = this.#nameOf(regarding, now);
    const path = eventsPath(regarding);
    const series: Series = { path: `${path}/${name}`, count: 1, last: now, counting: undefined };
    this.#series.set(key, series);
    const body = eventText({
      name,
      time: now,
      reason: finding.verdict === 'error' ? 'PolicyError' : 'PolicyDenied',
      action: operation,
      note: noteOf(finding),
      regarding,
    });
    this.#outbox.put(key, async () => {
      try {
        await this.#client.ask(path, { method: 'POST', body });
      } catch (error) {
        this.#series.delete(key);
        throw error;
      }
    });
  }

  #writeCount(key: string, series: Series): void {
    series.counting = undefined;
    this.#outbox.put(key, async () => {
      const { count, last } = series;
      const body = JSON.stringify({ series: { count, lastObservedTime: microTime(last) } });
      const contentType = 'application/merge-patch+json';
      await this.#client.ask(series.path, { method: 'PATCH', contentType, body });
    });
  }

  #forget(): void {
    for (const { counting } of this.#series.values()) clearTimeout(counting);
    this.#series.clear();
  }

  // Unlike those of other replicas, and a name that the server takes.
  #nameOf({ kind, name }: ObjectReference, now: number): string {
    const isName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
    const readable = (isName ? name : kind.toLowerCase()).slice(0, longestName).replace(/-$/, '');
    this.#last = Math.max(this.#last + 1, now);
    const random = Math.floor(Math.random() * 0x10_0000).toString(16);
    return `${readable || 'object'}.${this.#last.toString(16)}${random.padStart(5, '0')}`;
  }
}

// A rejected object never exists: each attempt has another UID and, if the server generates it, another name.
function regardedObject(request: AdmissionRequest): ObjectReference {
  const { uid, ...object } = requestedObject(request);
  if (request.operation !== 'CREATE') return uid === undefined ? object : { ...object, uid };
  const generated = metadataString((request.object ?? {}) as KubernetesObject, 'generateName');
  return generated === '' ? object : { ...object, name: generated.replace(/-$/, '') };
}

function noteOf({ policy, binding, rule, params, message = '' }: Finding): string {
  const parts = [
    `policy ${policy}`,
    ...(binding === undefined ? [] : [`binding ${binding}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(params === undefined ? [] : [`parameter ${params}`]),
  ];
  return `${parts.join(', ')}: ${message}`;
}
