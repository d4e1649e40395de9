import type { ApiClient } from '../cluster/api-client.ts';
import { Outbox, type OutboxListener } from '../cluster/outbox.ts';
import type { Clock } from './denial-events.ts';
import { eventsPath, eventText } from './event-object.ts';
import type { KyvernoEvent } from './kyverno-event.ts';

// As long as a series of denials.
const silentMilliseconds = 10 * 60_000;
const mostKnown = 5_000;
const lastMilliseconds = 2_000;

/** Writes events under Kyverno's names. An event with the same content is written once in ten minutes. */
export class KyvernoEventWriter {
  readonly #client: Pick<ApiClient, 'ask'>;
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #written: Map<string, number> = new Map();
  #last = 0n;

  constructor(client: Pick<ApiClient, 'ask'>, listener: OutboxListener, clock: Clock = Date.now) {
    this.#client = client;
    this.#outbox = new Outbox(listener);
    this.#clock = clock;
  }

  /** Writes events soon. */
  tell(events: readonly KyvernoEvent[]): void {
    for (const event of events) this.#tellOf(event);
  }

  /** Writes the remaining events, within a short time limit. */
  async stop(): Promise<void> {
    await this.#outbox.close(lastMilliseconds);
  }

  #tellOf(event: KyvernoEvent): void {
    const key = JSON.stringify(event);
    const time = this.#clock();
    const before = this.#written.get(key);
    if (before !== undefined && time - before < silentMilliseconds) return;
    if (this.#written.size >= mostKnown) this.#written.clear();
    this.#written.set(key, time);
    const body = eventText({ ...event, name: this.#nameOf(event.regarding.name, time), time });
    this.#outbox.put(key, async () => {
      try {
        await this.#client.ask(eventsPath(event.regarding), { method: 'POST', body });
      } catch (error) {
        this.#written.delete(key);
        throw error;
      }
    });
  }

  // The name of the object and the nanoseconds, as in Kyverno; the name becomes one that the server takes.
  #nameOf(name: string, time: number): string {
    const now = BigInt(Math.floor(time)) * 1_000_000n + BigInt(Math.floor(Math.random() * 1e6));
    this.#last = now > this.#last ? now : this.#last + 1n;
    const plain = name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
    const begun = /^[a-z0-9]/.test(plain) ? plain : `a${plain}`;
    const whole = /[a-z0-9]$/.test(begun) ? begun : `${begun}z`;
    return `${whole}.${this.#last.toString(16)}`;
  }
}
