import { type ServiceError, status } from '@grpc/grpc-js';
import {
  CompactedError,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoredEntry,
  type StoreWatch,
  type WatchOptions,
  type WriteCondition,
  type WriteResult,
} from '@kubeadmit/apiserver/store';
import type { EtcdClient, KeyValue } from './etcd-client.ts';
import { EtcdWatch } from './etcd-watch.ts';

/** Targets and results of `Compare` in etcd's API. */
const comparesRevision = 2;
const isEqual = 0;

/** A store in etcd, which several servers may share. */
export class EtcdStore implements Store {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #watches = new Set<EtcdWatch>();

  /** @param prefix the prefix of every key, such as `/registry` */
  constructor(client: EtcdClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async revision(): Promise<number> {
    const { header } = await this.#client.range({ key: this.#encode('/'), count_only: true });
    return header.revision;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const { kvs } = await this.#client.range({ key: this.#encode(key) });
    return kvs[0] && this.#entryOf(kvs[0]);
  }

  async range({ prefix, start, limit, revision }: RangeOptions): Promise<RangeResult> {
    const first = this.#encode(prefix);
    const from = start === undefined ? first : this.#encode(start);
    try {
      const { header, kvs, count } = await this.#client.range({
        key: Buffer.compare(from, first) < 0 ? first : from,
        range_end: afterPrefix(first),
        limit: limit ?? 0,
        revision: revision ?? 0,
      });
      const entries = kvs.map((entry) => this.#entryOf(entry));
      return { entries, revision: header.revision, remaining: count - entries.length };
    } catch (error) {
      return this.#rangeFailed(error, { prefix, start, limit, revision });
    }
  }

  put(key: string, value: string, { expected }: WriteCondition): Promise<WriteResult> {
    const encoded = this.#encode(key);
    const request = { request_put: { key: encoded, value: Buffer.from(value) } };
    return this.#write(encoded, expected, request);
  }

  async delete(key: string, { expected }: WriteCondition): Promise<WriteResult> {
    if (expected === 0) return { done: false, current: await this.get(key) };
    const encoded = this.#encode(key);
    return this.#write(encoded, expected, { request_delete_range: { key: encoded } });
  }

  watch({ prefix, after, signal }: WatchOptions): StoreWatch {
    const first = this.#encode(prefix);
    const watch: EtcdWatch = new EtcdWatch({
      client: this.#client,
      from: first,
      end: afterPrefix(first),
      after,
      signal,
      entryOf: (entry) => this.#entryOf(entry),
      onEnd: () => this.#watches.delete(watch),
    });
    if (!signal?.aborted) this.#watches.add(watch);
    return watch;
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#client.compact(revision);
    } catch (error) {
      // Another server has done it already.
      if (!isCompacted(error)) throw error;
    }
  }

  async close(): Promise<void> {
    for (const watch of [...this.#watches]) watch.close();
    this.#client.close();
  }

  async #write(key: Buffer, expected: number, request: object): Promise<WriteResult> {
    const { header, succeeded, responses } = await this.#client.transaction({
      compare: [{ result: isEqual, target: comparesRevision, key, mod_revision: expected }],
      success: [request],
      failure: [{ request_range: { key } }],
    });
    if (succeeded) return { done: true, revision: header.revision };
    const entry = responses[0]?.response_range?.kvs[0];
    return { done: false, current: entry && this.#entryOf(entry) };
  }

  async #rangeFailed(error: unknown, options: RangeOptions): Promise<RangeResult> {
    if (isCompacted(error)) throw new CompactedError((options.revision ?? 0) + 1);
    // A future revision: the current state is at least as new as every earlier one.
    if (!isFuture(error)) throw error;
    const { prefix, start, limit } = options;
    return this.range({ prefix, start, limit });
  }

  #encode(key: string): Buffer {
    return Buffer.from(this.#prefix + key);
  }

  #entryOf({ key, value, mod_revision }: KeyValue): StoredEntry {
    return {
      key: key.toString().slice(this.#prefix.length),
      value: value.toString(),
      revision: mod_revision,
    };
  }
}

/** The first key behind all that start with a prefix. */
function afterPrefix(prefix: Buffer): Buffer {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix[at] as number;
    if (byte < 0xff) {
      const end = Buffer.from(prefix.subarray(0, at + 1));
      end[at] = byte + 1;
      return end;
    }
  }
  return Buffer.from([0]);
}

function isCompacted(error: unknown): boolean {
  const { code, details } = error as Partial<ServiceError>;
  return code === status.OUT_OF_RANGE && /compacted/.test(details ?? '');
}

function isFuture(error: unknown): boolean {
  const { code, details } = error as Partial<ServiceError>;
  return code === status.OUT_OF_RANGE && /future/.test(details ?? '');
}
