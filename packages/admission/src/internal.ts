// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Admission that gives way between two policies
export { mutateInSteps } from './mutate-request.ts';
export type { WantsTurn } from './turns.ts';
export { validateInSteps } from './validate-request.ts';

// What was asked on the way, and custom resources between the policies
export type { CheckedObject } from './check-definition.ts';
export type { BindingTrace, EvaluationTrace, PolicyTrace } from './trace.ts';

// What keeps a request from being decided: values that are too deep, or not of JSON
export { orFailure } from './or-failure.ts';

// What mutations make of objects, for packages that judge mutations without a request
export { fromUnstructured } from './from-unstructured.ts';
export { readPatched } from './read-patched.ts';

// What a server reads from its own disk
export {
  readStaticManifests,
  type StaticKind,
  type StaticManifest,
  type StaticOptions,
  type StaticPolicies,
  type StaticProblem,
} from './static-manifests.ts';
export { decodeConfiguration } from './decode-configuration.ts';

// A cluster whose policies come and go one by one
export { ChangingCluster } from './changing-cluster.ts';

// What a server holds against policies themselves, and webhooks that it calls among them
export { policyRefusal } from './policy-refusal.ts';
export {
  type CompiledCriteria,
  compileCriteria,
  matchWebhook,
  type WebhookCriteria,
  type WebhookMatch,
} from './match-webhook.ts';
export { type MutatedElsewhere, mutateBeside } from './mutate-request.ts';

// What Go says of versions and kinds that it cannot read, or does not know
export { headProblem, unreadableHead, unregisteredKind } from './decode-errors.ts';

// Roles and bindings
export { ChangingPermissions } from './changing-permissions.ts';
export {
  aggregationOf,
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
} from './rbac-objects.ts';

// Events, whose fields have other names in their other group
export { convertEvent, isEvent } from './convert-event.ts';
