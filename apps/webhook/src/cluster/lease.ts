import { type JsonObject, member, memberObject, memberText } from '@kubeadmit/apimachinery';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

const durationSeconds = 15;
const renewMilliseconds = 5_000;

/** A Lease in the cluster, which at most one process holds. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** The name of this process, different from all others. */
  readonly identity: string;
  /** A note for the next holder; `undefined` leaves the previous one. */
  readonly note?: () => string | undefined;
}

const noteAnnotation = 'kubeadmit.dev/note';

/**
 * Elects the one of several processes that does exclusive work (`coordination.k8s.io`).
 *
 * A holder that has not renewed the Lease for its duration, by our clock since we saw it change, has lost it.
 */
export class Lease {
  readonly #client: Pick<ApiClient, 'ask' | 'find'>;
  readonly #options: LeaseOptions;
  readonly #now: () => number;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #seen: { readonly text: string; readonly at: number } | undefined;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #note = '';

  constructor(
    client: Pick<ApiClient, 'ask' | 'find'>,
    options: LeaseOptions,
    failed: (error: unknown) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#client = client;
    this.#options = options;
    this.#failed = failed;
    this.#now = now;
  }

  /** Whether it is ours at this moment. */
  get isHeld(): boolean {
    return this.#now() < this.#heldUntil;
  }

  /** The note of the previous holder; empty without one. */
  get note(): string {
    return this.#note;
  }

  /** Tries to acquire the Lease from now on. */
  start(): void {
    void this.attempt();
    this.#timer = setInterval(() => void this.attempt(), renewMilliseconds);
  }

  /** Releases the Lease, so that another process can acquire it at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.isHeld) return;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#take('').catch(() => undefined);
  }

  /** Acquires or renews the Lease if possible; never rejects. */
  async attempt(): Promise<void> {
    const began = this.#now();
    try {
      if (await this.#take(this.#options.identity)) {
        this.#heldUntil = began + durationSeconds * 1000;
      }
    } catch (error) {
      // On a conflict, another process was faster.
      if (!(error instanceof ApiError && error.code === 409)) this.#failed(error);
    }
  }

  async #take(holder: string): Promise<boolean> {
    const { namespace, name, identity } = this.#options;
    const folder = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const before = await this.#client.find(`${folder}/${name}`);
    const spec = member(before, 'spec');
    const owner = member(spec, 'holderIdentity') ?? '';
    if (owner !== '' && owner !== identity && !this.#hasLapsed(before)) return false;
    if (!this.isHeld) this.#note = noteOf(before);
    const time = new Date().toISOString().replace('Z', '000Z');
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: this.#withNote(
        before === undefined ? { name, namespace } : memberObject(before, 'metadata'),
      ),
      spec: {
        ...(spec as object | undefined),
        holderIdentity: holder,
        leaseDurationSeconds: durationSeconds,
        ...(owner === holder ? {} : { acquireTime: time }),
        renewTime: time,
      },
    };
    const body = JSON.stringify(lease);
    if (before === undefined) await this.#client.ask(folder, { method: 'POST', body });
    else await this.#client.ask(`${folder}/${name}`, { method: 'PUT', body });
    return true;
  }

  #withNote(metadata: JsonObject): JsonObject {
    const note = this.#options.note?.();
    if (note === undefined) return metadata;
    const annotations = { ...memberObject(metadata, 'annotations'), [noteAnnotation]: note };
    return { ...metadata, annotations };
  }

  #hasLapsed(lease: unknown): boolean {
    const text = JSON.stringify(member(lease, 'spec'));
    if (this.#seen?.text !== text) this.#seen = { text, at: this.#now() };
    return this.#now() - this.#seen.at > durationSeconds * 1000;
  }
}

function noteOf(lease: unknown): string {
  return memberText(member(member(lease, 'metadata'), 'annotations'), noteAnnotation);
}
