// Shared with other packages of kubeadmit; unstable.

export { strictRefusal } from './requests/field-validation.ts';
export { CoverageRecorder } from './report/coverage.ts';
export { inInputOrder } from './mutate/input-order.ts';
export { askedFacts } from './explain/exact-reason.ts';
export { bindingsOf, explainUnevaluated } from './explain/unevaluated.ts';
export { type ResultWords, resultWord } from './explain/evaluation-results.ts';
