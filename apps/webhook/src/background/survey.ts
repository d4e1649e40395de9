import { member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { ApiClient } from '../cluster/api-client.ts';
import type { ServedResource } from './discovery.ts';
import { generatedLabel } from './owner.ts';

/** The paths of resources that concern background work. */
export interface Survey {
  /** Resources of which a generated object exists. */
  readonly labelled: ReadonlySet<string>;
  /** Resources that may be listed, and whose objects can be deleted. */
  readonly listable: ReadonlySet<string>;
}

/** Finds the resources that concern background work, as far as they may be listed. */
export async function surveyResources(
  client: Pick<ApiClient, 'ask'>,
  resources: readonly ServedResource[],
): Promise<Survey> {
  const query = `?limit=1&labelSelector=${encodeURIComponent(generatedLabel)}`;
  const labelled = new Set<string>();
  const listable = new Set<string>();
  for (const { path, verbs } of resources) {
    if (!verbs.has('list') || !verbs.has('delete')) continue;
    try {
      const items = member(parseJson(await client.ask(path + query)), 'items');
      listable.add(path);
      if (Array.isArray(items) && items.length > 0) labelled.add(path);
    } catch {
      // Objects that may not be listed may not be changed either.
    }
  }
  return { labelled, listable };
}
