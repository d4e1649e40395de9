import type { Change } from '@kubeadmit/check/internal';
import type { Manifest } from '@kubeadmit/manifest';

/** A manifest after mutation. */
export interface MutatedManifest {
  readonly manifest: Manifest;
  /** The object as the cluster would hold it. */
  readonly object: unknown;
  /** What each mutation changed, in the order in which they did. */
  readonly changes: readonly Change[];
}
