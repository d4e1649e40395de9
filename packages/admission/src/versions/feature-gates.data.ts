/**
 * The first minor version in which a feature gate is on by default; absent gates are off in every version
 * (https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/features/kube_features.go).
 */
const onSince = {
  AuthorizePodWebsocketUpgradeCreatePermission: 35,
  ClearingNominatedNodeNameAfterBinding: 35,
  ClusterTrustBundle: 37,
  ConstrainedImpersonation: 36,
  DRAExtendedResource: 36,
  DRAResourceClaimGranularStatusAuthorization: 36,
  DynamicResourceAllocation: 34,
  InPlacePodLevelResourcesVerticalScaling: 36,
  InPlacePodVerticalScaling: 33,
  InPlacePodVerticalScalingInitContainers: 36,
  MatchLabelKeysInPodAffinity: 31,
  MatchLabelKeysInPodTopologySpreadSelectorMerge: 34,
  NodeDeclaredFeatures: 36,
  PodCertificateRequest: 37,
  PodLevelResources: 34,
  PodLevelResourcesFixDefaulting: 37,
  PodTopologyLabelsAdmission: 35,
  RecoverVolumeExpansionFailure: 32,
  ServiceAccountNodeAudienceRestriction: 33,
  UserNamespacesSupport: 33,
  VolumeAttributesClass: 34,
} as const;

/** Whether a feature gate is on by default in a minor version. */
export function isFeatureOn(gate: keyof typeof onSince, minor: number): boolean {
  return minor >= onSince[gate];
}
