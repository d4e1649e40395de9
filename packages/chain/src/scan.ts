// The kinds and requests that the policies of a chain match.

export type { ServedKind } from './requests/served-kind.ts';
export { concernedKinds } from './scan/concerned-kinds.ts';
export { type PolicyMatch, policyMatches, type WebhookRule } from './scan/policy-matches.ts';
