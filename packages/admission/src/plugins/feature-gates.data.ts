/**
 * The first minor version in which a feature gate is on by default; absent gates are off in every version
 * (https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/features/kube_features.go).
 */
const onSince = {
  ClusterTrustBundle: 37,
  DRAExtendedResource: 36,
  DynamicResourceAllocation: 34,
  InPlacePodVerticalScaling: 33,
  NodeDeclaredFeatures: 36,
  PodCertificateRequest: 37,
  PodLevelResources: 34,
  PodTopologyLabelsAdmission: 35,
  RecoverVolumeExpansionFailure: 32,
  ServiceAccountNodeAudienceRestriction: 33,
  VolumeAttributesClass: 34,
} as const;

/** Whether a feature gate that a plugin asks for is on by default in a minor version. */
export function isFeatureOn(gate: keyof typeof onSince, minor: number): boolean {
  return minor >= onSince[gate];
}
