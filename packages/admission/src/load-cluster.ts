import { storeCustomResource } from '@kubeadmit/custom-resources';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { requireClusterOptions } from './arguments.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { readCluster } from './read-cluster.ts';

/**
 * Makes a cluster of resources: policies are validated as at their creation, and those that are valid
 * are made ready for requests.
 *
 * @throws TypeError when the options are something else.
 * @throws RefusedResourcesError see {@link ClusterOptions.onErrors}.
 */
export function loadCluster(options: ClusterOptions): Cluster {
  requireClusterOptions('loadCluster', options);
  requireSchemas('loadCluster', options.schemas);
  return readCluster(options, storeCustomResource);
}
