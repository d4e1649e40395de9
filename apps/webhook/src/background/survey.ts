import { member } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { ServedResource } from '../cluster/discovery.ts';
import { generatedLabel } from './owner.ts';

// The resource may not be listed, is no longer served, or has no list.
const unlistable: ReadonlySet<number> = new Set([403, 404, 405]);

/** The paths of resources that background work reads. */
export interface Survey {
  /** Resources of which a generated object exists. */
  readonly labelled: ReadonlySet<string>;
  /** Resources that may be listed, and whose objects can be deleted. */
  readonly listable: ReadonlySet<string>;
}

/**
 * Finds the resources that background work reads, as far as they may be listed. Those that cannot be listed for another
 * reason are treated as before.
 */
export async function surveyResources(
  client: Pick<ApiClient, 'ask'>,
  resources: readonly ServedResource[],
  before: Survey,
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
    } catch (error) {
      // Objects that may not be listed may not be changed either.
      if (error instanceof ApiError && unlistable.has(error.code)) continue;
      if (before.listable.has(path)) listable.add(path);
      if (before.labelled.has(path)) labelled.add(path);
    }
  }
  return { labelled, listable };
}
