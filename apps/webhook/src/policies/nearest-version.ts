import { knownVersions, newestVersion } from '@kubeadmit/schemas';

/**
 * Returns the known Kubernetes version of a cluster, such as `1.37` for `v1.37.1-gke.100`. Clusters that are newer than
 * all known versions get the newest one.
 */
export function nearestVersion(gitVersion: string | undefined): string {
  const minor = /^v?(\d+\.\d+)/.exec(gitVersion ?? '')?.[1] ?? '';
  return knownVersions.includes(minor) ? minor : newestVersion;
}
