// One Kyverno policy on one resource, as the Kyverno CLI applies it.

// Responses
export type { Response, Result } from './kyverno/response.ts';

// Classic policies and cleanup policies
export { applyClassic, type PolicyGivens } from './kyverno/classic.ts';
export { applyCleanup } from './kyverno/cleanup.ts';

// Policies in CEL
export {
  applyDeleting,
  applyGenerating,
  applyImagesToPayload,
  applyImageValidating,
  applyMutating,
  applyToExisting,
  applyToPayload,
  applyToServiceRequest,
  applyValidating,
} from './kyverno/cel.ts';

// Native policies
export { applyNative, readNativePolicies } from './kyverno/native.ts';

// Objects of a cluster
export { clusterAnswer, findConfigMap, objectSources } from './kyverno/cluster-sources.ts';
export {
  identityOf,
  identityText,
  isNamespaced,
  kindOf,
  type ObjectIdentity,
  pluralOf,
  sameIdentity,
} from './kyverno/identity.ts';
