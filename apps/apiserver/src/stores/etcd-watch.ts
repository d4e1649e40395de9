import {
  CompactedError,
  EventQueue,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
} from '@kubeadmit/apiserver/store';
import type { EtcdClient, KeyValue, WatchResponse, WatchStream } from './etcd-client.ts';

/** How many events may wait for a reader. */
const capacity = 10_000;
/** How many characters their values may have together: each watch has its own copies. */
const mostCharacters = 16 * 1024 * 1024;
const retryMilliseconds = 250;

/** The range, start and callbacks of a watch in etcd. */
export interface EtcdWatchOptions {
  readonly client: EtcdClient;
  readonly from: Buffer;
  readonly end: Buffer;
  /** Events with greater revisions than this one. */
  readonly after: number;
  readonly signal?: AbortSignal | undefined;
  readonly entryOf: (entry: KeyValue) => StoredEntry;
  readonly onEnd: () => void;
}

/** A watch in etcd, which resumes where it was after a lost connection. */
export class EtcdWatch implements StoreWatch {
  readonly #options: EtcdWatchOptions;
  readonly #queue: EventQueue;
  #stream: WatchStream | undefined;
  #seen: number;
  #isEnded = false;
  #isProgressWanted = false;

  constructor(options: EtcdWatchOptions) {
    this.#options = options;
    this.#seen = options.after;
    this.#queue = new EventQueue({
      capacity,
      mostCharacters,
      signal: options.signal,
      onProgressRequested: () => this.#askForProgress(),
      onEnd: () => this.#stop(),
    });
    if (!this.#isEnded) this.#connect();
  }

  requestProgress(): void {
    this.#queue.requestProgress();
  }

  [Symbol.asyncIterator](): AsyncIterator<StoreEvent> {
    return this.#queue[Symbol.asyncIterator]();
  }

  /** Ends the iteration after the events that are already queued. */
  close(): void {
    this.#queue.end();
  }

  #connect(): void {
    const { client, from, end } = this.#options;
    const stream = client.watch();
    this.#stream = stream;
    stream.on('data', (response: WatchResponse) => this.#receive(response));
    stream.on('error', () => this.#reconnect(stream));
    stream.on('end', () => this.#reconnect(stream));
    stream.write({
      create_request: { key: from, range_end: end, start_revision: this.#seen + 1, prev_kv: true },
    });
    if (this.#isProgressWanted) this.#askForProgress();
  }

  #receive(response: WatchResponse): void {
    if (response.compact_revision > 0) {
      this.#queue.end(new CompactedError(response.compact_revision));
      return;
    }
    if (response.canceled) {
      this.#queue.end(new Error(response.cancel_reason || 'the watch was cancelled'));
      return;
    }
    for (const event of response.events) this.#tell(event);
    if (response.events.length > 0 || response.created) return;
    this.#isProgressWanted = false;
    this.#seen = Math.max(this.#seen, response.header.revision);
    this.#queue.push({ type: 'progress', revision: response.header.revision });
  }

  #tell({ type, kv, prev_kv }: WatchResponse['events'][number]): void {
    const { entryOf } = this.#options;
    const { mod_revision: revision } = kv;
    this.#seen = revision;
    if (type === 0) {
      const previous = prev_kv === null ? {} : { previous: entryOf(prev_kv) };
      this.#queue.push({ type: 'put', entry: entryOf(kv), ...previous });
    } else if (prev_kv !== null) {
      this.#queue.push({ type: 'delete', revision, previous: entryOf(prev_kv) });
    } else {
      // The value was compacted away, and the event is incomplete without it.
      this.#queue.end(new CompactedError(revision + 1));
    }
  }

  #askForProgress(): void {
    this.#isProgressWanted = true;
    this.#stream?.write({ progress_request: {} });
  }

  #reconnect(stream: WatchStream): void {
    if (this.#isEnded || this.#stream !== stream) return;
    this.#stream = undefined;
    setTimeout(() => {
      if (!this.#isEnded) this.#connect();
    }, retryMilliseconds);
  }

  #stop(): void {
    this.#isEnded = true;
    this.#stream?.cancel();
    this.#stream = undefined;
    this.#options.onEnd();
  }
}
