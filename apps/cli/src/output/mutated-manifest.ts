import type { Finding } from '@kubeadmit/chain';
import type { Change } from '@kubeadmit/chain/findings';
import type { Manifest } from '@kubeadmit/manifest';

/** A manifest after mutation. */
export interface MutatedManifest {
  readonly manifest: Manifest;
  /** The object as the cluster would hold it. */
  readonly object: unknown;
  /** The changes of each mutation, in order. */
  readonly changes: readonly Change[];
  /** The findings of rules that generate objects because of the manifest. */
  readonly generations: readonly Finding[];
}
