// All policies of a cluster in one chain, for hosts that answer requests: read a request, mutate it, validate it, or both
// in a row.

export { type Chain, type ChainOptions, loadChain } from './chain/chain.ts';
export { type MutationAnswer, mutateRequest } from './chain/mutate-request.ts';
export { type Passage, passRequest } from './chain/pass-request.ts';
export { type ChainRequest, readRequest } from './chain/request.ts';
export type { StepAnswer } from './chain/step.ts';
export { validateRequest } from './chain/validate-request.ts';
