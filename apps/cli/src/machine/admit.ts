import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import { isRecord, stringifyJson } from '@kubeadmit/manifest';
import { decodeAll } from '@kubeadmit/schemas';
import { type CaseCluster, clusterOf, optionalObject } from './fields.ts';
import { type Answer, type Answerer, type Case, CaseFailure } from './lines.ts';
import { createSchemaSource } from './schemas.ts';

/**
 * Answers the cases of `kubeadmit admit -`.
 *
 * Cases in a row often share their resources, and compiling policies takes most of the time: the
 * cluster of the case before is kept.
 */
export function createAdmitAnswerer(): Answerer {
  const clusterFor = createClusterSource();
  return async (input: Case): Promise<Answer> => {
    const cluster = await clusterFor(clusterOf(input));
    const request = optionalObject(input, 'request');
    const errors = cluster.errors.length > 0 ? cluster.errors : undefined;
    if (request === undefined) return { errors };
    const outcome = admit(cluster, request);
    if (outcome.failure !== undefined) return { errors, failure: outcome.failure };
    return { response: outcome.response, object: outcome.object, errors };
  };
}

/** Gives the cluster of a case; that of the case before is kept. */
export function createClusterSource(): (held: CaseCluster) => Promise<Cluster> {
  const schemasOf = createSchemaSource();
  let last: { readonly key: string; readonly cluster: Cluster } | undefined;
  return async (held) => {
    const key = stringifyJson(held);
    if (last?.key === key) return last.cluster;
    const { kubernetesVersion, resources } = held;
    // Only what expressions may use follows the version: the kinds are those of the newest.
    const schemas = await schemasOf();
    if (kubernetesVersion !== undefined) await schemasOf(kubernetesVersion);
    if (!resources.every(isRecord)) {
      throw new CaseFailure(decodeAll(schemas, resources).failure ?? 'a resource is no object');
    }
    const cluster = loadCluster({ resources, schemas, kubernetesVersion });
    last = { key, cluster };
    return cluster;
  };
}
