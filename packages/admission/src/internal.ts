// Functions that the packages of kubeadmit share and that users rarely need. They may change in every version.

// Admission as generators that yield between two policies
export { mutateInSteps } from './mutate-request.ts';
export { validateInSteps } from './validate-request.ts';

// Traces, and custom resources between the policies
export { type CheckedObject, writtenObject } from './check-definition.ts';
export type { BindingTrace, EvaluationTrace, PolicyTrace } from './trace.ts';

// The object as a webhook returns it
export { objectForServer } from './admit-review.ts';

// Plugins of a server, which runs them around policies and webhooks
export { ObjectCluster } from './plugins/object-cluster.ts';
export { PluginPasses } from './plugin-passes.ts';
export type { ClusterPlugins } from './cluster.ts';
export type { PluginTrace } from './plugins/run-plugins.ts';
export { assumedObject } from './plugins/assumed-objects.ts';

// Feature gates, and resources of pods, which plugins and the rules of a server both read
export { isFeatureOn } from './versions/feature-gates.data.ts';

// Failures that prevent a decision: values that are nested too deeply or are not JSON
export { orFailure } from './or-failure.ts';

// Results of mutations, for packages that evaluate mutations without a request
export { fromUnstructured } from './from-unstructured.ts';
export { readPatched } from './read-patched.ts';

// A cluster whose policies come and go one by one
export { ChangingCluster } from './changing-cluster.ts';
export { compilePolicies } from './prepare-cluster.ts';
export { setNamespace } from './set-namespace.ts';

// Why a server refuses policies themselves, and the webhooks that it calls beside them
export { parameterPermissionError } from './policy-permissions.ts';
export { policyRefusal } from './policy-refusal.ts';
export {
  type WebhookPart,
  type WebhookSplit,
  webhookFailurePolicy,
} from './webhook-failure-policy.ts';
export { RequestContext } from './request-context.ts';
export { type MutatedElsewhere, mutateBeside } from './mutate-request.ts';

// Go's messages about versions and kinds that are malformed or unknown
export { headProblem, unreadableHead, unregisteredKind } from './decode/decode-errors.ts';
