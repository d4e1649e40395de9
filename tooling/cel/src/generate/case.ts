/** A case of `oracle eval`. */
export interface GeneratedCase {
  readonly id: string;
  readonly expression: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly declarations?: Readonly<Record<string, string>>;
  readonly kubernetesVersion?: string;
  readonly budget?: number;
}
