import { formatGroupVersion, type KubernetesObject } from '@kubeadmit/apimachinery';
import { expiredStatus, failureStatus } from '@kubeadmit/apimachinery/status';
import type { Clock } from '../host/host.ts';
import type { ApiResponse, WatchEvent } from '../http/response.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { withRevision } from '../objects/metadata.ts';
import { type Selection, selects } from '../objects/selection.ts';
import { type ListOptions, readListOptions } from '../options/list-options.ts';
import {
  CompactedError,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
} from '../store/store.ts';
import { tableOf } from '../tables/table.ts';
import { prefixOf, selectionOf } from '../verbs/list.ts';
import { partialMetadata } from '../verbs/response.ts';
import { revisionOf } from '../verbs/revisions.ts';

const bookmarkInterval = 60_000;
const shortestTimeout = 1800;

/** Answers `watch` (handlers.ServeWatch): events from a version on, or first everything that is there. */
export async function watchObjects(exchange: ResourceExchange): Promise<ApiResponse> {
  const options = readListOptions(exchange.request.query);
  const { mediaType } = exchange.negotiated;
  const events = shaped(exchange, new Watch(exchange, options).events());
  return {
    status: 200,
    headers: { 'content-type': mediaType },
    body: { type: 'events', events, mediaType },
  };
}

class Watch {
  readonly #exchange: ResourceExchange;
  readonly #options: ListOptions;
  readonly #from: number;
  readonly #selection: Selection;

  constructor(exchange: ResourceExchange, options: ListOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#from = revisionOf(options.resourceVersion);
    this.#selection = selectionOf(exchange, options);
  }

  async *events(): AsyncGenerator<WatchEvent, void, undefined> {
    const { registry, options } = this.#exchange.machinery;
    const prefix = prefixOf(this.#exchange);
    const skipsInitial = this.#options.sendInitialEvents === false;
    let after = this.#from;
    let target = after;
    if (after === 0 || this.#options.sendInitialEvents === true) {
      const range = await registry.store.range({ prefix });
      after = range.revision;
      target = Math.max(target, after);
      if (!skipsInitial) {
        for (const entry of range.entries) {
          const object = this.#read(entry);
          if (selects(this.#selection, object)) yield { type: 'ADDED', object };
        }
        if (this.#options.allowWatchBookmarks) yield this.#bookmark(target, true);
      }
    }
    const abort = new AbortController();
    const { signal } = this.#exchange.request;
    if (signal?.aborted) return;
    const end = (): void => abort.abort();
    signal?.addEventListener('abort', end, { once: true });
    const forget = this.#endWithDefinition(end);
    const watch = registry.store.watch({ prefix, after, signal: abort.signal });
    const seconds =
      this.#options.timeoutSeconds || shortestTimeout * (1 + Math.abs(after % 100) / 100);
    try {
      const merged = timedMerge(watch, {
        clock: options.clock,
        interval: bookmarkInterval,
        end: options.clock.now() + seconds * 1000,
        abort,
        onTick: () => {
          if (this.#options.allowWatchBookmarks) watch.requestProgress();
        },
      });
      for await (const event of merged) {
        const told = this.#tell(event);
        if (told !== undefined) yield told;
      }
    } catch (error) {
      yield { type: 'ERROR', object: errorObject(error, after) };
    } finally {
      signal?.removeEventListener('abort', end);
      forget?.();
      abort.abort();
    }
  }

  // Watches of a kind end when its definition changes, so that clients see its new form (apiextensions crdHandler).
  #endWithDefinition(end: () => void): (() => void) | undefined {
    const { endpoint, machinery } = this.#exchange;
    const { definition } = endpoint.resource;
    return definition === undefined
      ? undefined
      : machinery.cluster.definitionListeners.add(definition, end);
  }

  // Converts an event for this selection: objects enter it, change within it and leave it.
  #tell(event: StoreEvent): WatchEvent | undefined {
    if (event.type === 'progress') {
      return this.#options.allowWatchBookmarks ? this.#bookmark(event.revision, false) : undefined;
    }
    const before = event.previous && this.#read(event.previous);
    const was = before !== undefined && selects(this.#selection, before);
    if (event.type === 'delete') {
      return was ? { type: 'DELETED', object: withRevision(before, event.revision) } : undefined;
    }
    const object = this.#read(event.entry);
    if (selects(this.#selection, object)) return { type: was ? 'MODIFIED' : 'ADDED', object };
    return was
      ? { type: 'DELETED', object: withRevision(before, event.entry.revision) }
      : undefined;
  }

  #read(entry: StoredEntry): KubernetesObject {
    return this.#exchange.machinery.registry.read(entry, this.#exchange.endpoint.kind).object;
  }

  #bookmark(revision: number, isInitialEnd: boolean): WatchEvent {
    const { kind } = this.#exchange.endpoint;
    return {
      type: 'BOOKMARK',
      object: {
        kind: kind.kind,
        apiVersion: formatGroupVersion(kind),
        metadata: {
          resourceVersion: String(revision),
          ...(isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
        },
      },
    };
  }
}

function errorObject(error: unknown, after: number): KubernetesObject {
  const isOld = error instanceof CompactedError;
  const message = isOld
    ? `too old resource version: ${after} (${error.oldest})`
    : error instanceof Error
      ? error.message
      : String(error);
  const status = isOld
    ? expiredStatus(message)
    : failureStatus(500, message, { reason: 'InternalError' });
  return { kind: 'Status', apiVersion: 'v1', ...status };
}

// Events in the form that was negotiated; the columns of tables come once.
async function* shaped(
  exchange: ResourceExchange,
  events: AsyncGenerator<WatchEvent, void, undefined>,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { form } = exchange.negotiated;
  let hasColumns = true;
  for await (const event of events) {
    if (form === undefined || event.type === 'ERROR') {
      yield event;
      continue;
    }
    const apiVersion = `meta.k8s.io/${form.version}`;
    if (form.kind === 'Table') {
      yield {
        type: event.type,
        object: tableOf(exchange, event.object, { apiVersion, hasColumns }),
      };
      hasColumns = false;
    } else yield { type: event.type, object: partialMetadata(exchange, event.object, apiVersion) };
  }
}

/** The duration of a watch and the interval of progress events. */
interface TimedMergeOptions {
  readonly clock: Clock;
  /** Milliseconds between two ticks. */
  readonly interval: number;
  /** When the watch ends, in milliseconds since 1970. */
  readonly end: number;
  readonly onTick: () => void;
  /** Ends the watch and the ticks. */
  readonly abort: AbortController;
}

/** The events of a watch until its time is over, with ticks between them. */
async function* timedMerge(
  watch: StoreWatch,
  { clock, interval, end, onTick, abort }: TimedMergeOptions,
): AsyncGenerator<StoreEvent, void, undefined> {
  const farewell = 2000;
  const isTold = end - clock.now() > farewell;
  const tick = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const left = end - clock.now();
      if (left <= 0) break;
      const isLast = left <= interval + farewell;
      const pause = isLast ? Math.max(left - farewell, 0) : interval;
      await clock.sleep(pause, abort.signal);
      if (abort.signal.aborted) return;
      if (isTold) onTick();
      if (!isLast) continue;
      await clock.sleep(Math.max(end - clock.now(), 0), abort.signal);
      break;
    }
    abort.abort();
  };
  const ticking = tick();
  try {
    yield* watch;
  } finally {
    abort.abort();
    await ticking;
  }
}
