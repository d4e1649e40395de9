import { loadSchemas } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/internal';
import { requireClusterOptions } from './arguments.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { type ClusterTools, readCluster, requireAccepted } from './read-cluster.ts';

/**
 * Loads what is known about kinds and makes a cluster; see `loadCluster`.
 *
 * What checks custom resources, and what tells why an expression does not parse, is loaded for those clusters that need
 * it, so that a page pays for nothing else.
 *
 * @throws TypeError when the options are something else.
 * @throws RefusedResourcesError see {@link ClusterOptions.onErrors}.
 */
export async function prepareCluster(options: Omit<ClusterOptions, 'schemas'>): Promise<Cluster> {
  requireClusterOptions('prepareCluster', options);
  const tools: ClusterTools = {
    storeCustomResource:
      options.checkDefinitions !== false && options.resources.some(isDefinition)
        ? (await import('@kubeadmit/custom-resources')).storeCustomResource
        : undefined,
  };
  const { kubernetesVersion: version } = options;
  const known = {
    ...options,
    schemas: await loadSchemas(version === undefined ? {} : { version }),
  };
  const cluster = readCluster(known, tools);
  if (cluster.errors.length === 0) return cluster;
  // Perhaps there are expressions that do not parse, of which kube-apiserver has more to say than the parser.
  const { describeSyntaxErrors } = await import('@kubeadmit/cel/syntax-errors');
  return requireAccepted(readCluster(known, { ...tools, describeSyntaxErrors }), options);
}
