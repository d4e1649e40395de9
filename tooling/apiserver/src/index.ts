export { type Normalized, normalizeAnswers } from './normalize.ts';
export {
  type Answer,
  type Ask,
  cleanUp,
  playCase,
  type RestCase,
  type Step,
  type Webhook,
} from './play-case.ts';
export { answerReview, type WebhookAnswer } from './webhook-behaviour.ts';
