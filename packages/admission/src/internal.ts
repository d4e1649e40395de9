// What mutations make of objects, for packages that judge mutations without a request.
export { fromUnstructured } from './from-unstructured.ts';
export { readPatched } from './read-patched.ts';
// Webhooks that a server calls among its policies.
export {
  type CompiledCriteria,
  compileCriteria,
  matchWebhook,
  type WebhookCriteria,
  type WebhookMatch,
} from './match-webhook.ts';
export { type MutatedElsewhere, mutateBeside } from './mutate-request.ts';
// Roles and bindings, for packages that look into them.
export {
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
  type Subject,
  subjectsOf,
} from './rbac-objects.ts';
// Events, whose fields have other names in their other group.
export { convertEvent, isEvent } from './convert-event.ts';
