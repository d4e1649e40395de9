/** Fields of built-in kinds that are deprecated, with what takes their place, by struct and field. */
export const deprecatedFieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodSpec: {
    serviceAccount: 'Deprecated: write `serviceAccountName`, which has the same value.',
  },
  ServiceSpec: {
    loadBalancerIP: 'Deprecated: providers of load balancers have annotations of their own.',
  },
  Volume: {
    gitRepo: 'Deprecated: clone into an `emptyDir` by an init container.',
    flexVolume: 'Deprecated: use a CSI driver.',
  },
  PersistentVolumeSpec: {
    flexVolume: 'Deprecated: use a CSI driver.',
  },
  NodeSpec: {
    externalID: 'Deprecated, without meaning.',
    configSource: 'Deprecated, without effect.',
  },
  ObjectMeta: {
    selfLink: 'Deprecated: always empty.',
  },
};
