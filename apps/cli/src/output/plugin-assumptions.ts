import type { AssumedByPlugins } from '@kubeadmit/chain/plugins';
import { counted } from './counts.ts';

/** The number of objects or assumptions that a remark names. */
const mostNames = 5;

/** Returns the remark about the state of a new cluster; undefined if admission plugins did not assume any of it. */
export function newClusterRemark(assumed: AssumedByPlugins | undefined): string | undefined {
  if (assumed === undefined || assumed.newCluster.length === 0) return undefined;
  return `admission plugins assumed a new cluster: ${firstNames(assumed.newCluster)}`;
}

/** Returns the remark about objects that manifests name and that were not given; undefined if there are none. */
export function namedObjectsRemark(assumed: AssumedByPlugins | undefined): string | undefined {
  if (assumed === undefined || assumed.named.length === 0) return undefined;
  const { named } = assumed;
  const objects = counted(named.length, 'named object');
  return `${objects} not among the inputs, assumed to exist: ${firstNames(named)}`;
}

function firstNames(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}
