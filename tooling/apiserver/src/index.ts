export type { Answer } from './play/answer.ts';
export { askUsers, type PermissionAnswers, requestKey } from './permissions/ask-users.ts';
export { objectRequests, permissionRequests } from './permissions/requests.ts';
export { createPermissionUsers } from './permissions/users.ts';
export { type Normalized, normalizeAnswers } from './normalize.ts';
export {
  type Ask,
  cleanUp,
  playCase,
  type RestCase,
  type Step,
  type Webhook,
} from './play/play-case.ts';
export { disabledPlugins } from './kube-apiserver.ts';
export { endings, randomCase } from './random-case.ts';
export { startRealServer } from './real-server.ts';
export { loadProtobufForms, type ProtobufForms } from './play/protobuf-forms.ts';
export { answerReview, type WebhookAnswer } from './webhook-behaviour.ts';
