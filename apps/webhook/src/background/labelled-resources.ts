import { member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { ApiClient } from '../cluster/api-client.ts';
import type { ServedResource } from './discovery.ts';
import { generatedLabel } from './owner.ts';

/** Returns the paths of the resources of which a generated object exists, as far as they may be listed. */
export async function resourcesWithGenerated(
  client: Pick<ApiClient, 'ask'>,
  resources: readonly ServedResource[],
): Promise<ReadonlySet<string>> {
  const query = `?limit=1&labelSelector=${encodeURIComponent(generatedLabel)}`;
  const found = new Set<string>();
  for (const { path, verbs } of resources) {
    if (!verbs.has('list') || !verbs.has('delete')) continue;
    try {
      const items = member(parseJson(await client.ask(path + query)), 'items');
      if (Array.isArray(items) && items.length > 0) found.add(path);
    } catch {
      // Objects that may not be listed may not be changed either.
    }
  }
  return found;
}
