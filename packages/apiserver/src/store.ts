// The storage of a server: the interface for implementations, and the one in memory.

export { EventQueue, type EventQueueOptions } from './store/event-queue.ts';
export { MemoryStore, type MemoryStoreOptions } from './store/memory-store.ts';
export {
  CompactedError,
  type RangeOptions,
  type RangeResult,
  SlowReaderError,
  type Store,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
  type WatchOptions,
  type WriteCondition,
  type WriteResult,
} from './store/store.ts';
