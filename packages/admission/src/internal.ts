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
export { computeQosClass } from './resources/qos-class.ts';
export { isPodLevelResource } from './resources/pod-resources.ts';
export { type ResourceList, readResources } from './resources/resource-list.ts';
export { isExtendedResource, isHugePages, isNativeResource } from './resources/resource-names.ts';

// Failures that prevent a decision: values that are nested too deeply or are not JSON
export { orFailure } from './or-failure.ts';

// Results of mutations, for packages that evaluate mutations without a request
export { fromUnstructured } from './from-unstructured.ts';
export { readPatched } from './read-patched.ts';

// Static manifests that a server reads from its own disk
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

// Writes of a server: managed fields, and fields that the strategy of a resource sets
export { decodeManifest } from './write/decode-manifest.ts';
export { beforeUpdate } from './write/before-update.ts';
export { prepareNew } from './write/prepare-new.ts';
export { withRequester } from './write/requester.ts';
export { withNilLists } from './write/nil-lists.ts';
export { annotatedProfile, profileOf } from './write/app-armor.ts';
export { validateDataSources } from './write/data-source.ts';
export {
  type Endpoint,
  endpointOf,
  findEndpoint,
  isCore,
  isServed,
  storedEndpoint,
} from './write/endpoint.ts';
export { fieldValues } from './write/strategy.ts';
export { internalMetadata } from './write/template-generation.ts';
export { zeroObject } from './write/zero-object.ts';
export { plainObject } from './write/to-version.ts';
export { memberAt } from './write/strategy.ts';
export {
  type FieldsEntry,
  type Metadata,
  metadataOf,
  nameOf,
  withMember,
  withMetadata,
  withoutMember,
  withRevision,
} from './write/metadata.ts';
export { changesOwnershipOnly } from './write/semantic-equality.ts';
export { semanticallyEqual } from './write/semantic-equality.ts';
export { toVersion } from './write/to-version.ts';
export {
  Allocation,
  isServiceWrite,
  placesOf,
  RangeFullError,
  type ServicePlaces,
  type ServiceSpec,
  type ServiceWrite,
  specOf,
} from './write/service-allocation.ts';
