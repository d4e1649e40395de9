import { type Cluster, type ClusterOptions, loadCluster } from '@kubeadmit/admission';
import { parseVersion } from '@kubeadmit/engine';
import { newestMinor } from '@kubeadmit/engine/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { isRecord } from '@kubeadmit/manifest';
import { decodeAll } from '@kubeadmit/schemas/internal';
import { timeOf } from '../chain/time.ts';
import { CaseFailure } from './case.ts';
import type { CaseCluster } from './fields.ts';
import { createSchemaSource } from './schema-source.ts';

/**
 * Gives the cluster of a case; that of the case before is kept.
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
    // Only what expressions may use follows the version: the kinds are those of the newest.
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

/** @throws CaseFailure for an unknown or unsupported plugin */
async function pluginSet(
  plugins: 'default' | readonly string[],
  version: string | undefined,
): Promise<ClusterOptions['plugins']> {
  const { loadPlugins } = await import('@kubeadmit/admission/plugins');
  try {
    const minor = version === undefined ? newestMinor : parseVersion(version);
    return loadPlugins({ plugins, minor });
  } catch (error) {
    if (error instanceof TypeError) throw new CaseFailure(error.message);
    throw error;
  }
}
