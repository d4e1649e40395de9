import { below, type GatedFields } from './gated-fields.ts';

/** The gated fields of a resource. */
export interface ResourceFields {
  /** Those that a create and an update of the object drop. */
  readonly object?: readonly GatedFields[];
  /** Those that an update of the subresource `status` drops. */
  readonly status?: readonly GatedFields[];
}

/** Returns fields that are kept independently of each other. */
function each(
  gate: GatedFields['gate'],
  fields: readonly string[],
  from?: number,
): readonly GatedFields[] {
  return fields.map((field) => ({
    gate,
    fields: [field],
    ...(from === undefined ? {} : { from }),
  }));
}

const terminatingReplicas = each('DeploymentReplicaSetTerminatingReplicas', [
  'status.terminatingReplicas',
]);

/** The gated fields of the specification of a claim for devices (pkg/api/resourceclaimspec/util.go). */
function deviceRequestFields(spec: string): readonly GatedFields[] {
  const requests = `${spec}.devices.requests[]`;
  const inRequests = (name: string): readonly string[] =>
    below(requests, [`exactly.${name}`, `firstAvailable[].${name}`]);
  return [
    { gate: 'DRADeviceTaints', fields: inRequests('tolerations') },
    {
      gate: 'DRAConsumableCapacity',
      fields: [`${spec}.devices.constraints[].distinctAttribute`, ...inRequests('capacity')],
    },
    { gate: 'DRADerivedAttributes', fields: inRequests('derivedAttributes') },
  ];
}

const results = 'status.allocation.devices.results[]';
const devices = 'spec.devices[]';

/**
 * The gated fields of built-in resources other than those of pods, by their qualified names (`PrepareForCreate` and
 * `PrepareForUpdate` of the strategies in https://github.com/kubernetes/kubernetes/tree/v1.37.1/pkg/registry, and of v1.30
 * to v1.36). Resources that only versions in alpha and beta serve are left out.
 */
export const resourceFields: Readonly<Record<string, ResourceFields>> = {
  'customresourcedefinitions.apiextensions.k8s.io': {
    object: each('CustomResourceFieldSelectors', ['spec.versions[].selectableFields']),
  },
  'csidrivers.storage.k8s.io': {
    object: [
      ...each('MutableCSINodeAllocatableCount', ['spec.nodeAllocatableUpdatePeriodSeconds']),
      ...each('CSIServiceAccountTokenSecrets', ['spec.serviceAccountTokenInSecrets']),
      ...each('VolumeLimitScaling', ['spec.preventPodSchedulingIfMissing']),
    ],
  },
  'csinodes.storage.k8s.io': {
    status: each('CSIVolumeHealth', ['status.storageHealth']),
  },
  'cronjobs.batch': {
    object: each('WorkloadWithJob', ['spec.jobTemplate.spec.scheduling']),
  },
  'deployments.apps': { status: terminatingReplicas },
  'replicasets.apps': { status: terminatingReplicas },
  'deviceclasses.resource.k8s.io': {
    object: each('DRAExtendedResource', ['spec.extendedResourceName']),
  },
  'endpointslices.discovery.k8s.io': {
    object: each('PreferSameTrafficDistribution', ['endpoints[].hints.forNodes']),
  },
  'horizontalpodautoscalers.autoscaling': {
    object: [
      {
        gate: 'HPAConfigurableTolerance',
        fields: below('spec.behavior', ['scaleDown.tolerance', 'scaleUp.tolerance']),
      },
    ],
  },
  'jobs.batch': {
    object: [
      ...each('WorkloadWithJob', ['spec.scheduling']),
      ...each('JobSuccessPolicy', ['spec.successPolicy']),
      { gate: 'JobManagedBy', fields: ['spec.managedBy'], onlyOnCreate: true },
    ],
  },
  'leases.coordination.k8s.io': {
    object: each('CoordinatedLeaderElection', ['spec.strategy', 'spec.preferredHolder']),
  },
  nodes: {
    object: [
      ...each('DynamicKubeletConfig', ['spec.configSource', 'status.config']),
      { gate: 'RecursiveReadOnlyMounts', fields: ['status.runtimeHandlers'], usedBy: [] },
      ...each('SupplementalGroupsPolicy', ['status.features']),
      ...each('NodeDeclaredFeatures', ['status.declaredFeatures']),
      ...each('InPlacePodVerticalScalingSchedulerPreemption', ['spec.podPreemptionPolicy']),
    ],
    status: each('DynamicKubeletConfig', ['status.config']),
  },
  persistentvolumeclaims: {
    object: each('VolumeAttributesClass', ['spec.volumeAttributesClassName']),
    status: [
      ...each('VolumeAttributesClass', [
        'status.currentVolumeAttributesClassName',
        'status.modifyVolumeStatus',
      ]),
      ...each('RecoverVolumeExpansionFailure', [
        'status.allocatedResources',
        'status.allocatedResourceStatuses',
      ]),
      ...each('CSIVolumeHealth', ['status.healthStatus']),
    ],
  },
  persistentvolumes: {
    object: each('VolumeAttributesClass', ['spec.volumeAttributesClassName'], 31),
  },
  'resourceclaims.resource.k8s.io': {
    object: deviceRequestFields('spec'),
    status: [
      {
        gate: 'DRAConsumableCapacity',
        fields: [...below(results, ['shareID', 'consumedCapacity']), 'status.devices[].shareID'],
        usedBy: [
          'spec.devices.constraints[].distinctAttribute',
          'spec.devices.requests[].exactly.capacity',
          'spec.devices.requests[].firstAvailable[].capacity',
          ...below(results, ['shareID', 'consumedCapacity']),
          'status.devices[].shareID',
        ],
      },
      {
        gate: 'DRADeviceBindingConditions',
        fields: below(results, ['bindingConditions', 'bindingFailureConditions']),
      },
      ...each('DRAOptionalNodeOperations', [`${results}.skipNodeOperations`]),
    ],
  },
  'resourceclaimtemplates.resource.k8s.io': {
    object: deviceRequestFields('spec.spec'),
  },
  'resourceslices.resource.k8s.io': {
    object: [
      ...each('DRADeviceTaints', [`${devices}.taints`]),
      {
        gate: 'DRAPartitionableDevices',
        fields: [
          'spec.sharedCounters',
          'spec.perDeviceNodeSelection',
          ...below(devices, ['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes']),
        ],
      },
      {
        gate: 'DRADeviceBindingConditions',
        fields: below(devices, ['bindingConditions', 'bindingFailureConditions', 'bindsToNode']),
      },
      {
        gate: 'DRAConsumableCapacity',
        fields: below(devices, ['allowMultipleAllocations', 'capacity{}.requestPolicy']),
      },
      ...each('DRADeviceCompatibilityGroups', [
        `${devices}.consumesCounters[].compatibilityGroups`,
      ]),
      ...each('DRANodeAllocatableResources', [`${devices}.nodeAllocatableResources`]),
      {
        gate: 'DRAListTypeAttributes',
        fields: below(`${devices}.attributes{}`, ['bools', 'ints', 'strings', 'versions']),
      },
      ...each('DRAPartitionableDevicesType', ['spec.partitionTypeAttribute']),
      ...each('DRAOptionalNodeOperations', ['spec.skipNodeOperations']),
    ],
  },
  services: {
    object: each('ServiceTrafficDistribution', ['spec.trafficDistribution']),
  },
  'statefulsets.apps': {
    object: each('MaxUnavailableStatefulSet', ['spec.updateStrategy.rollingUpdate.maxUnavailable']),
  },
  'volumeattachments.storage.k8s.io': {
    status: each('MutableCSINodeAllocatableCount', [
      'status.attachError.errorCode',
      'status.detachError.errorCode',
    ]),
  },
};
