import { below, type GatedFields, inContainers } from './gated-fields.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const terms = [
  'requiredDuringSchedulingIgnoredDuringExecution[]',
  'preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm',
].flatMap((list) => [`podAffinity.${list}`, `podAntiAffinity.${list}`]);
const projected = 'volumes[].projected';
const volumesWithItems = ['secret', 'configMap', 'downwardAPI'];
const tokens = ['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

/**
 * The gated fields of the specification of a pod or template (`dropDisabledFields` of
 * https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/api/pod/util.go, and of v1.30 to v1.36).
 */
export const podSpecFields: readonly GatedFields[] = [
  { gate: 'UserNamespacesSupport', fields: ['hostUsers'] },
  { gate: 'SupplementalGroupsPolicy', fields: ['securityContext.supplementalGroupsPolicy'] },
  { gate: 'PodLevelResources', fields: ['resources'] },
  {
    gate: 'MatchLabelKeysInPodAffinity',
    fields: terms.flatMap((term) =>
      below(`affinity.${term}`, ['matchLabelKeys', 'mismatchLabelKeys']),
    ),
  },
  {
    gate: 'DynamicResourceAllocation',
    fields: [...inContainers('resources.claims'), 'resourceClaims'],
    usedBy: ['resourceClaims'],
  },
  { gate: 'ClusterTrustBundleProjection', fields: [`${projected}.sources[].clusterTrustBundle`] },
  { gate: 'PodCertificateRequest', fields: [`${projected}.sources[].podCertificate`] },
  {
    gate: 'AtomicWriteVolumeUserFields',
    fields: [
      ...volumesWithItems.flatMap((name) =>
        below(`volumes[].${name}`, ['defaultUser', 'items[].user']),
      ),
      `${projected}.defaultUser`,
      ...volumesWithItems.map((name) => `${projected}.sources[].${name}.items[].user`),
      ...tokens.map((name) => `${projected}.sources[].${name}.user`),
    ],
  },
  { gate: 'GenericWorkload', fields: ['schedulingGroup'] },
  { gate: 'GenericWorkload', fields: ['workloadRef'] },
  {
    gate: 'GRPCContainerProbeTLS',
    fields: inContainers(...probes.map((probe) => `${probe}.grpc.mode`)),
  },
  { gate: 'EvictionRequestAPI', fields: ['evictionResponders'] },
  {
    gate: 'InPlacePodVerticalScaling',
    fields: inContainers('resizePolicy'),
    usedBy: ['containers[].resizePolicy'],
  },
  { gate: 'RecursiveReadOnlyMounts', fields: inContainers('volumeMounts[].recursiveReadOnly') },
  { gate: 'EmptyDirVolumeMode', fields: ['volumes[].emptyDir.mode'] },
  { gate: 'VolumeBindMountOptions', fields: inContainers('volumeMounts[].bindMountOptions') },
  { gate: 'HostnameOverride', fields: ['hostnameOverride'] },
  { gate: 'EnvFiles', fields: inContainers('env[].valueFrom.fileKeyRef') },
  { gate: 'SELinuxChangePolicy', fields: ['securityContext.seLinuxChangePolicy'] },
  {
    gate: 'H2CContainerProbe',
    fields: inContainers(
      ...[...probes, 'lifecycle.postStart', 'lifecycle.preStop'].map(
        (handler) => `${handler}.httpGet.protocol`,
      ),
    ),
  },
];

const inStatuses = (...fields: readonly string[]): readonly string[] =>
  ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap((list) =>
    below(`status.${list}[]`, fields),
  );

/**
 * The gated fields of the status of a pod (`dropDisabledPodStatusFields` of the same file). Versions before 1.33 store
 * them in updates of the status.
 */
export const podStatusFields: readonly GatedFields[] = [
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    fields: ['status.resources', 'status.allocatedResources'],
  },
  {
    gate: 'InPlacePodVerticalScaling',
    fields: [...inStatuses('resources', 'allocatedResources'), 'status.resize'],
    usedBy: ['spec.containers[].resizePolicy'],
  },
  {
    gate: 'DynamicResourceAllocation',
    fields: ['status.resourceClaimStatuses'],
    usedBy: ['spec.resourceClaims'],
  },
  { gate: 'DRAExtendedResource', fields: ['status.extendedResourceClaimStatus'] },
  {
    gate: 'RecursiveReadOnlyMounts',
    fields: inStatuses('volumeMounts'),
    usedBy: inContainers('volumeMounts[].recursiveReadOnly').map((path) => `spec.${path}`),
  },
  {
    gate: 'ResourceHealthStatus',
    fields: inStatuses('allocatedResourcesStatus'),
    usedBy: [],
  },
  {
    gate: 'ResourceHealthStatusMessage',
    fields: inStatuses('allocatedResourcesStatus[].resources[].message'),
  },
  {
    gate: 'SupplementalGroupsPolicy',
    fields: inStatuses('user'),
    usedBy: ['spec.securityContext.supplementalGroupsPolicy'],
  },
  {
    gate: 'PodObservedGenerationTracking',
    fields: ['status.observedGeneration', 'status.conditions[].observedGeneration'],
  },
  { gate: 'ImageVolumeWithDigest', fields: inStatuses('volumeMounts[].volumeStatus') },
  {
    gate: 'DRANodeAllocatableResources',
    fields: ['status.nodeAllocatableResourceClaimStatuses'],
  },
  { gate: 'CSIVolumeHealth', fields: ['status.volumeHealth'] },
];
