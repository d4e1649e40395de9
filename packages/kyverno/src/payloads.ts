// Policies on payloads other than admission requests: JSON, and requests to HTTP and Envoy servers.

export { PayloadError } from './cel-policies/authorization/decode-message.ts';
export type { Message } from './cel-policies/authorization/message-types.ts';
export {
  type AuthorizationMode,
  isAuthorizationMode,
} from './cel-policies/authorization-environment.ts';
export { authorizeRequest, readAuthorizationRequest } from './cel-policies/authorize.ts';
export { deletesPayload } from './cel-policies/deleting.ts';
export { validatePayload } from './cel-policies/validating.ts';
