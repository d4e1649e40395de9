// All policies of a cluster in one chain: load it, read a request, mutate it, validate it, or both in a row.
export { type Chain, type ChainOptions, loadChain } from './chain/chain.ts';
export { type ChainRequest, readRequest } from './chain/request.ts';
export { type MutationAnswer, mutateRequest } from './chain/mutate-request.ts';
export { validateRequest } from './chain/validate-request.ts';
export { type Passage, passRequest } from './chain/pass-request.ts';
export type { StepAnswer } from './chain/step.ts';

// Findings of policies.
export type { Finding, Verdict } from './findings/findings.ts';

// Users of requests.
export type { RequestUser } from './requests/user.ts';
