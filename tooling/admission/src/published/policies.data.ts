/** A collection of published policies. */
export interface Collection {
  /** The repository on GitHub. */
  readonly repository: string;
  /** The commit that was judged. */
  readonly commit: string;
  /** The folders of policies about limits, tolerations, priority or volumes. */
  readonly folders: readonly string[];
  /** The object that bindings name as parameters, and the files with it and its definition. */
  readonly parameters?: { readonly name: string; readonly files: readonly string[] };
}

const named = (prefix: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${prefix}/${name}`);

/** The published policies that the guide on admission plugins compares. */
export const collections: readonly Collection[] = [
  {
    repository: 'kyverno/policies',
    commit: 'b9c4317ce02256dc66118e08bb3e9345e7bfce5c',
    folders: [
      ...named('best-practices', 'require-pod-requests-limits disallow-cri-sock-mount'),
      ...named('best-practices-cel', 'require-pod-requests-limits disallow-cri-sock-mount'),
      ...named('best-practices-vpol', 'require-pod-requests-limits disallow-cri-sock-mount'),
      ...named(
        'other',
        'add-default-resources add-emptydir-sizelimit add-pod-priorityclassname add-tolerations disable-automountserviceaccounttoken enforce-resources-as-ratio forbid-cpu-limits limit-hostpath-vols memory-requests-equal-limits remove-hostpath-volumes remove-serviceaccount-token require-cpu-limits require-emptydir-requests-limits require-pod-priorityclassname require-qos-burstable require-qos-guaranteed restrict-automount-sa-token',
      ),
      ...named(
        'other-cel',
        'forbid-cpu-limits limit-hostpath-vols memory-requests-equal-limits require-emptydir-requests-limits require-pod-priorityclassname require-qos-burstable require-qos-guaranteed',
      ),
      ...named('other-mpol', 'add-default-resources add-pod-priorityclassname add-tolerations'),
      ...named(
        'other-vpol',
        'forbid-cpu-limits limit-hostpath-vols memory-requests-equal-limits require-emptydir-requests-limits require-pod-priorityclassname require-qos-burstable require-qos-guaranteed',
      ),
    ],
  },
  {
    repository: 'kubescape/cel-admission-library',
    commit: 'fc2fb67f3def145dc74d182f0e2ae676a03c05c5',
    folders: named('controls', 'C-0004 C-0009 C-0020 C-0045 C-0048 C-0050 C-0074 C-0270 C-0271'),
    parameters: {
      name: 'basic-control-configuration',
      files: [
        'configuration/basic-control-configuration.yaml',
        'configuration/policy-configuration-definition.yaml',
      ],
    },
  },
];
