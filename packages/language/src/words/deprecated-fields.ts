/** Fields of built-in kinds that are deprecated, with their replacements, by struct and field. */
export const deprecatedFieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodSpec: {
    serviceAccount: 'Deprecated: write `serviceAccountName`, which has the same value.',
  },
  ServiceSpec: {
    loadBalancerIP: 'Deprecated: use the annotations of the load balancer provider.',
  },
  Volume: {
    gitRepo: 'Deprecated: clone into an `emptyDir` in an init container.',
    flexVolume: 'Deprecated: use a CSI driver.',
  },
  PersistentVolumeSpec: {
    flexVolume: 'Deprecated: use a CSI driver.',
  },
  NodeSpec: {
    externalID: 'Deprecated: has no meaning.',
    configSource: 'Deprecated: has no effect.',
  },
  ObjectMeta: {
    selfLink: 'Deprecated: always empty.',
  },
};
