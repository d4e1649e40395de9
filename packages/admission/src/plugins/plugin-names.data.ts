/** One admission plugin in {@link orderedPluginNames}. */
export interface PluginFacts {
  readonly name: string;
  /** Whether kube-apiserver enables the plugin by default. */
  readonly isDefault: boolean;
  /** The first minor version that has it; absent for plugins that every supported version has. */
  readonly since?: number;
}

const on = (name: string, since?: number): PluginFacts => facts(name, true, since);
const off = (name: string, since?: number): PluginFacts => facts(name, false, since);

function facts(name: string, isDefault: boolean, since: number | undefined): PluginFacts {
  return { name, isDefault, ...(since === undefined ? {} : { since }) };
}

/**
 * All admission plugins in their order (`AllOrderedPlugins`, `DefaultOffAdmissionPlugins` of
 * https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/kubeapiserver/options/plugins.go; the first versions by the
 * same file of v1.30 to v1.36).
 */
export const orderedPluginNames: readonly PluginFacts[] = [
  off('AlwaysAdmit'),
  off('NamespaceAutoProvision'),
  on('NamespaceLifecycle'),
  off('NamespaceExists'),
  off('LimitPodHardAntiAffinityTopology'),
  on('LimitRanger'),
  on('ServiceAccount'),
  off('NodeRestriction'),
  on('TaintNodesByCondition'),
  off('AlwaysPullImages'),
  off('ImagePolicyWebhook'),
  on('PodSecurity'),
  off('PodNodeSelector'),
  on('Priority'),
  on('DefaultTolerationSeconds'),
  off('PodTolerationRestriction'),
  off('EventRateLimit'),
  off('ExtendedResourceToleration'),
  on('DefaultStorageClass'),
  on('StorageObjectInUseProtection'),
  on('PodGroupProtection', 36),
  off('OwnerReferencesPermissionEnforcement'),
  on('PersistentVolumeClaimResize'),
  on('RuntimeClass'),
  on('CertificateApproval'),
  on('CertificateSigning'),
  on('ClusterTrustBundleAttest'),
  on('CertificateSubjectRestriction'),
  on('DefaultIngressClass'),
  off('DenyServiceExternalIPs'),
  on('PodTopologyLabels', 33),
  on('NodeDeclaredFeatureValidator', 35),
  on('PodResizeValidator', 36),
  on('MutatingAdmissionPolicy'),
  on('MutatingAdmissionWebhook'),
  on('ValidatingAdmissionPolicy'),
  on('ValidatingAdmissionWebhook'),
  on('ResourceQuota'),
  off('AlwaysDeny'),
];

/** The plugins that an AdmissionConfiguration can configure, without those of policies and webhooks. */
export const configurablePlugins: ReadonlySet<string> = new Set([
  'PodSecurity',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ResourceQuota',
]);
