// The server.
export type { Codec } from './encoding/codec.ts';
export {
  type EncodeOptions,
  encodeBody,
  encodeEvent,
  encodeParts,
} from './encoding/encode-response.ts';
export { MemoizedForms } from './encoding/memoized-forms.ts';
// Services that the host provides.
export type {
  BoundObject,
  Clock,
  Pages,
  TokenIssuer,
  TokenReviewer,
  WebhookAnswer,
  WebhookCall,
  WebhookClient,
} from './host/host.ts';
// Requests and answers.
export { type ApiRequest, maximumBodySize, type RequestBody } from './http/request.ts';
export { isWatch } from './http/request-info.ts';
export type { ApiResponse, AuditRecord, ResponseBody, WatchEvent } from './http/response.ts';
export type {
  StaticKind,
  StaticManifest,
  StaticProblem,
} from '@kubeadmit/admission/static-policies';
export {
  ApiClient,
  type ClientAnswer,
  type ClientRequest,
  serverUser,
} from './http/api-client.ts';
export type { ApiServerOptions } from './host/api-server-options.ts';
export { type ApiServer, createApiServer } from './server/server.ts';
// Writes to a cluster of given objects.
export {
  createWriteServer,
  type WriteServer,
  type WriteServerOptions,
} from './write/write-server.ts';
export type { WriteAnswer, WriteRequest } from './write/write-request.ts';
