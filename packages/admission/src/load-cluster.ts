import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { storeCustomResource } from '@kubeadmit/custom-resources';
import { requireSchemas } from '@kubeadmit/schemas/internal';
import { requireClusterOptions } from './arguments.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { type ClusterTools, readCluster, requireAccepted } from './read-cluster.ts';

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
  return requireAccepted(readCluster(options, tools), options);
}

// Named only where they are called: programs that load their parts when they need them start without these.
const tools: ClusterTools = {
  storeCustomResource: (resource, schemas) => storeCustomResource(resource, schemas),
  describeSyntaxErrors: (text, options) => describeSyntaxErrors(text, options),
};
