// The server.
export type { Codec } from './encoding/codec.ts';
export {
  type EncodeOptions,
  encodeBody,
  encodeEvent,
  encodeParts,
} from './encoding/encode-response.ts';
export { RememberedForms } from './encoding/remembered-forms.ts';
// What the host does.
export type {
  Clock,
  TokenIssuer,
  TokenReviewer,
  WebhookAnswer,
  WebhookCall,
  WebhookClient,
} from './host.ts';
// Requests and answers.
export { type ApiRequest, maximumBodySize, type RequestBody } from './request.ts';
export type { ApiResponse, AuditRecord, ResponseBody, WatchEvent } from './response.ts';
export type { ApiServerOptions } from './api-server-options.ts';
export { type ApiServer, createApiServer } from './server.ts';
// Stores.
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
