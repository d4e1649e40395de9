interface Kept<Value> {
  readonly value: Value;
  readonly size: number;
  readonly until: number;
}

/** The limits of a cache. */
export interface CacheLimits {
  /** The largest sum of the sizes of its values. */
  readonly bytes: number;
  /** Returns the time in milliseconds; it never goes back. */
  readonly now: () => number;
}

// Keys and the cache's own objects need memory even for empty values.
const overhead = 500;

/** A cache with limits of size and age; it removes the least recently used values first. */
export class BoundedCache<Value> {
  readonly #limits: CacheLimits;
  /** The values in the order of their last use. */
  readonly #kept = new Map<string, Kept<Value>>();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  /** The sum of the sizes of the values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a value; undefined if it is missing or too old. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (kept.until <= this.#limits.now()) {
      this.#bytes -= kept.size;
      return undefined;
    }
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Stores a value of a length in bytes for some milliseconds; a value above the limit is not stored. */
  set(key: string, value: Value, length: number, milliseconds: number): void {
    this.#remove(key);
    const { bytes, now } = this.#limits;
    const size = length + overhead;
    if (milliseconds <= 0 || size > bytes) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes + size <= bytes) break;
      this.#remove(oldest);
    }
    this.#kept.set(key, { value, size, until: now() + milliseconds });
    this.#bytes += size;
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
