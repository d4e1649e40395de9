import type { AssumedByPlugins } from '@kubeadmit/chain/unstable-internal';
import { counted } from './counts.ts';

/** The number of objects that a remark names. */
const mostNames = 5;

/** Returns the remark about the state of a new cluster; undefined if admission plugins did not assume any of it. */
export function newClusterRemark(assumed: AssumedByPlugins | undefined): string | undefined {
  if (assumed === undefined || assumed.newCluster.length === 0) return undefined;
  return `admission plugins assumed a new cluster: ${assumed.newCluster.join(', ')}`;
}

/** Returns the remark about objects that manifests name and that were not given; undefined if there are none. */
export function namedObjectsRemark(assumed: AssumedByPlugins | undefined): string | undefined {
  if (assumed === undefined || assumed.named.length === 0) return undefined;
  const { named } = assumed;
  const objects = counted(named.length, 'named object');
  const more = named.length > mostNames ? ` and ${named.length - mostNames} more` : '';
  const names = `${named.slice(0, mostNames).join(', ')}${more}`;
  return `${objects} not among the inputs, assumed to exist: ${names}`;
}
