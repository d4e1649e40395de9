/** The options of `kubeadmit check`. */
export interface CheckOptions {
  readonly policies?: readonly string[];
  readonly resources?: readonly string[];
  readonly output: 'text' | 'json' | 'cases';
  readonly namespace: string;
  readonly as: string;
  readonly asGroup?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly ignoreUnknownKinds?: boolean;
}
