import { loadSchemas } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/definitions';
import { requireClusterOptions } from './arguments.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { readCluster } from './read-cluster.ts';

/**
 * Loads the schemas of a Kubernetes version, and a cluster with them; see `loadCluster`.
 *
 * The code that validates custom resources is loaded only for clusters with definitions, so that other pages are
 * smaller.
 *
 * @throws TypeError when the options are something else.
 * @throws RefusedResourcesError see {@link ClusterOptions.onErrors}.
 */
export async function prepareCluster(options: Omit<ClusterOptions, 'schemas'>): Promise<Cluster> {
  requireClusterOptions('prepareCluster', options);
  const { kubernetesVersion: version, checkDefinitions, resources } = options;
  const schemas = await loadSchemas(version === undefined ? {} : { version });
  const needsStore = checkDefinitions !== false && resources.some(isDefinition);
  const store = needsStore
    ? (await import('@kubeadmit/custom-resources')).storeCustomResource
    : undefined;
  return readCluster({ ...options, schemas }, store);
}

/**
 * Compiles the policies of a cluster that have bindings, one in each step, so that no request waits for it.
 *
 * Policies that were compiled before, also for a previous cluster, take no time.
 */
export function* compilePolicies({ policies }: Cluster): Generator<undefined, void> {
  yield* policies.mutating.compileAll();
  yield* policies.validating.compileAll();
}
