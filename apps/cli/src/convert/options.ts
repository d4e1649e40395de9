import type { Target } from '@kubeadmit/convert';
import type { FileOptions } from '../input/sources.ts';

/** The options of `kubeadmit convert`. */
export interface ConvertOptions extends FileOptions {
  readonly to: Target;
  readonly kubernetesVersion?: string;
  readonly idiomatic?: boolean;
  readonly allowPartial?: boolean;
  readonly report?: string;
  readonly prove?: number;
  /** False with `--no-search`. */
  readonly search: boolean;
}
