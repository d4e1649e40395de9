import type { Target } from '@kubeadmit/convert';

/** The options of `kubeadmit convert`. */
export interface ConvertOptions {
  readonly to: Target;
  readonly kubernetesVersion?: string;
  readonly idiomatic?: boolean;
  readonly allowPartial?: boolean;
  readonly report?: string;
  readonly prove?: number;
  /** False with `--no-search`. */
  readonly search: boolean;
  readonly ignore?: readonly string[];
  readonly maxFileSize: number;
}
