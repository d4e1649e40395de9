/** What to read, and as whom it is created. */
export interface InputOptions {
  readonly policies?: readonly string[];
  readonly resources?: readonly string[];
  readonly namespace: string;
  readonly as: string;
  readonly asGroup?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly ignoreUnknownKinds?: boolean;
}

/** The options of `kubeadmit check`. */
export interface CheckOptions extends InputOptions {
  readonly output: 'text' | 'json' | 'cases';
}
