/** How many fetches run at the same time, in total and of one host. */
export interface SlotLimits {
  readonly total: number;
  readonly perHost: number;
}

interface Waiting {
  readonly host: string;
  readonly start: () => void;
}

/** Limits concurrent fetches, so that a slow registry leaves room for others and memory is bounded. */
export class FetchSlots {
  readonly #limits: SlotLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Runs work as soon as the limits allow it. */
  async run<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isFree(host)) this.#enter(host);
    else await new Promise<void>((start) => this.#waiting.push({ host, start }));
    try {
      return await work();
    } finally {
      this.#leave(host);
    }
  }

  #isFree(host: string): boolean {
    const { total, perHost } = this.#limits;
    return this.#total < total && (this.#running.get(host) ?? 0) < perHost;
  }

  #enter(host: string): void {
    this.#total++;
    this.#running.set(host, (this.#running.get(host) ?? 0) + 1);
  }

  #leave(host: string): void {
    this.#total--;
    const others = (this.#running.get(host) ?? 0) - 1;
    if (others > 0) this.#running.set(host, others);
    else this.#running.delete(host);
    const at = this.#waiting.findIndex((waiting) => this.#isFree(waiting.host));
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#enter(next.host);
    next.start();
  }
}
