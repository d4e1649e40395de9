import type { Field, StructType } from '@kubeadmit/schemas/types';

/** How a strategic merge patch merges a list. */
export interface PatchStrategy {
  /** The key that identifies an element; absent for a set of scalars. */
  readonly mergeKey: string | undefined;
}

/** Lists of type map or set that a strategic merge patch replaces all the same, by struct and field. */
const replaced: ReadonlySet<string> = new Set([
  'ValidatingAdmissionPolicyBindingSpec.validationActions',
  'ValidatingAdmissionPolicyStatus.conditions',
  'ServerStorageVersion.decodableVersions',
  'ServerStorageVersion.servedVersions',
  'StorageVersionStatus.conditions',
  'StorageVersionStatus.storageVersions',
  'PodFailurePolicyOnExitCodesRequirement.values',
  'UncountedTerminatedPods.failed',
  'UncountedTerminatedPods.succeeded',
  'CertificateSigningRequestStatus.conditions',
  'ContainerRestartRuleOnExitCodes.values',
  'NodeAllocatableResourceClaimStatus.containers',
  'NodePodPreemptionPolicy.disableResizePreemption',
  'PodStatus.volumeHealth',
  'ResourceRequirements.claims',
  'ResourceStatus.resources',
  'VolumeMount.bindMountOptions',
  'Endpoint.addresses',
  'NonResourcePolicyRule.nonResourceURLs',
  'NonResourcePolicyRule.verbs',
  'ResourcePolicyRule.apiGroups',
  'ResourcePolicyRule.namespaces',
  'ResourcePolicyRule.resources',
  'ResourcePolicyRule.verbs',
  'AllocatedDeviceStatus.conditions',
  'DeviceRequestAllocationResult.skipNodeOperations',
  'ResourceClaimStatus.devices',
  'ResourceSliceSpec.skipNodeOperations',
  'CompositePodGroupTemplate.compositePodGroupTemplates',
  'CompositePodGroupTemplate.podGroupTemplates',
  'WorkloadSpec.compositePodGroupTemplates',
  'WorkloadSpec.podGroupTemplates',
  'CSIDriverSpec.volumeLifecycleModes',
  'CustomResourceDefinitionStatus.conditions',
]);

/** Atomic lists that a strategic merge patch merges all the same, with their keys. */
const merged: Readonly<Record<string, string>> = {
  'JobStatus.conditions': 'type',
  'PodStatus.hostIPs': 'ip',
};

/**
 * How a strategic merge patch merges a list of a struct (`x-kubernetes-patch-strategy` and its merge key); undefined
 * where it replaces it. The list type says so but for the exceptions above.
 */
export function patchStrategyOf(
  struct: StructType | undefined,
  field: Field | undefined,
): PatchStrategy | undefined {
  if (struct === undefined || field === undefined) return undefined;
  const name = `${struct.ownName}.${field.name}`;
  if (Object.hasOwn(merged, name)) return { mergeKey: merged[name] };
  if (replaced.has(name)) return undefined;
  if (field.list === 'map') return { mergeKey: field.keys?.[0] };
  return field.list === 'set' ? { mergeKey: undefined } : undefined;
}
