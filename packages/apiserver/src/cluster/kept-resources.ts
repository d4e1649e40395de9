/** Resources whose objects decide about requests, by the start of their keys in the store. */
export const keptPrefixes: Readonly<Record<string, KeptKind>> = {
  '/registry/validatingadmissionpolicies/': 'policy',
  '/registry/validatingadmissionpolicybindings/': 'policy',
  '/registry/mutatingadmissionpolicies/': 'policy',
  '/registry/mutatingadmissionpolicybindings/': 'policy',
  '/registry/validatingwebhookconfigurations/': 'webhook',
  '/registry/mutatingwebhookconfigurations/': 'webhook',
  '/registry/clusterroles/': 'permission',
  '/registry/clusterrolebindings/': 'permission',
  '/registry/roles/': 'permission',
  '/registry/rolebindings/': 'permission',
  '/registry/namespaces/': 'namespace',
  '/registry/apiextensions.k8s.io/customresourcedefinitions/': 'definition',
};

/** The role of an object in the cluster's state. */
export type KeptKind =
  | 'policy'
  | 'webhook'
  | 'permission'
  | 'namespace'
  | 'definition'
  | 'parameter'
  | 'plugin';
