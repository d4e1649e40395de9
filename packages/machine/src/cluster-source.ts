import { type Cluster, loadCluster } from '@kubeadmit/admission';
import { timeOf } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import { isRecord } from '@kubeadmit/manifest';
import { decodeAll } from '@kubeadmit/schemas/unstable-internal';
import { CaseFailure } from './case.ts';
import type { CaseCluster } from './fields.ts';
import { pluginSet } from './plugin-set.ts';
import { createSchemaSource } from './schema-source.ts';

/**
 * Returns the cluster of a case; that of the case before is kept.
 *
 * Cases in a row often share their resources, and compiling policies takes most of the time.
 *
 * @param clock milliseconds since 1970, for defaults of parameters.
 */
export function createClusterSource(clock: () => number): (held: CaseCluster) => Promise<Cluster> {
  const schemasOf = createSchemaSource();
  let last: { readonly key: string; readonly cluster: Cluster } | undefined;
  return async (held) => {
    const key = stringifyJson(held);
    if (last?.key === key) return last.cluster;
    const { kubernetesVersion, resources, plugins } = held;
    // The version only affects the language of expressions: the kinds are those of the newest version.
    const schemas = await schemasOf();
    if (kubernetesVersion !== undefined) await schemasOf(kubernetesVersion);
    if (!resources.every(isRecord)) {
      throw new CaseFailure(decodeAll(schemas, resources).failure ?? 'a resource is not an object');
    }
    const cluster = loadCluster({
      resources,
      schemas,
      kubernetesVersion,
      now: timeOf(clock),
      emulated: true,
      onErrors: 'report',
      checkDefinitions: false,
      plugins: plugins && (await pluginSet(plugins, kubernetesVersion)),
    });
    last = { key, cluster };
    return cluster;
  };
}
