/** Which kinds a cluster has and which of them belong to no namespace; Kyverno asks the cluster's discovery. */
export interface KindScopes {
  /** Whether these are the scopes of a cluster; Kyverno's CLI has none. */
  readonly isCluster: boolean;
  /** Whether a kind belongs to no namespace: `Namespace` or `v1/Namespace`; undefined for a kind that is not known. */
  readonly isClusterWide: (kind: string) => boolean | undefined;
}

/** The scopes that Kyverno's CLI takes for granted: without a cluster, no kind is cluster-wide. */
export const namespacedScopes: KindScopes = {
  isCluster: false,
  isClusterWide: () => false,
};

/** The cluster-wide kinds of kube-apiserver 1.37.1 and Kyverno 1.19.1, each in its preferred version. */
const clusterWideKinds: readonly string[] = [
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  'apiregistration.k8s.io/v1/APIService',
  'authentication.k8s.io/v1/SelfSubjectReview',
  'authentication.k8s.io/v1/TokenReview',
  'authorization.k8s.io/v1/SelfSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectRulesReview',
  'authorization.k8s.io/v1/SubjectAccessReview',
  'certificates.k8s.io/v1/CertificateSigningRequest',
  'certificates.k8s.io/v1/ClusterTrustBundle',
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration',
  'kyverno.io/v1/ClusterPolicy',
  'kyverno.io/v2/ClusterCleanupPolicy',
  'kyverno.io/v2/GlobalContextEntry',
  'networking.k8s.io/v1/IPAddress',
  'networking.k8s.io/v1/IngressClass',
  'networking.k8s.io/v1/ServiceCIDR',
  'node.k8s.io/v1/RuntimeClass',
  'policies.kyverno.io/v1/DeletingPolicy',
  'policies.kyverno.io/v1/GeneratingPolicy',
  'policies.kyverno.io/v1/ImageValidatingPolicy',
  'policies.kyverno.io/v1/MutatingPolicy',
  'policies.kyverno.io/v1/ValidatingPolicy',
  'rbac.authorization.k8s.io/v1/ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  'resource.k8s.io/v1/DeviceClass',
  'resource.k8s.io/v1/DeviceTaintRule',
  'resource.k8s.io/v1/ResourceSlice',
  'scheduling.k8s.io/v1/PriorityClass',
  'storage.k8s.io/v1/CSIDriver',
  'storage.k8s.io/v1/CSINode',
  'storage.k8s.io/v1/StorageClass',
  'storage.k8s.io/v1/VolumeAttachment',
  'storage.k8s.io/v1/VolumeAttributesClass',
  'storagemigration.k8s.io/v1/StorageVersionMigration',
  'v1/ComponentStatus',
  'v1/Namespace',
  'v1/Node',
  'v1/PersistentVolume',
];

/** The groups of kube-apiserver 1.37.1 and Kyverno 1.19.1; any other group is one of custom resources. */
const knownGroups: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'kyverno.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policies.kyverno.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

const clusterWide: ReadonlySet<string> = new Set(
  clusterWideKinds.flatMap((kind) => [kind, kind.slice(kind.lastIndexOf('/') + 1)]),
);

/** The scopes in a cluster with Kyverno, which may have further kinds. */
export const clusterScopes: KindScopes = {
  isCluster: true,
  isClusterWide: (kind) => {
    if (clusterWide.has(kind)) return true;
    const parts = kind.split('/');
    return knownGroups.has(parts.length > 2 ? (parts[0] ?? '') : '') ? false : undefined;
  },
};

/** The policy that a rule is part of. */
export interface PolicySetting {
  /** Whether it is a Policy, which acts in its own namespace. */
  readonly isNamespaced: boolean;
  /** The namespace of a Policy. */
  readonly namespace: string;
  readonly scopes: KindScopes;
}
