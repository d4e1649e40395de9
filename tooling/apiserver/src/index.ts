export { type Normalized, normalizeAnswers } from './normalize.ts';
export { type Answer, type Ask, cleanUp, playCase, type RestCase, type Step } from './play-case.ts';
