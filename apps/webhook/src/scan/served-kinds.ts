import type { ServedKind } from '@kubeadmit/chain/internal';
import type { ApiClient } from '../cluster/api-client.ts';

/** A collection that can be listed. */
export interface ServedCollection extends ServedKind {
  readonly path: string;
  readonly apiVersion: string;
}

/** The collections of a cluster in the preferred versions of their groups, and the groups that do not answer. */
export async function servedCollections(client: Pick<ApiClient, 'ask'>): Promise<{
  readonly collections: readonly ServedCollection[];
  readonly silent: readonly string[];
}> {
  const { groups } = JSON.parse(await client.ask('/apis')) as GroupList;
  const preferred = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
  const collections: ServedCollection[] = [];
  const silent: string[] = [];
  for (const apiVersion of ['v1', ...preferred]) {
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    try {
      const { resources } = JSON.parse(await client.ask(root)) as ResourceList;
      const [group = '', version = ''] = apiVersion === 'v1' ? ['', 'v1'] : apiVersion.split('/');
      for (const { name, kind, verbs } of resources) {
        if (name.includes('/') || !verbs.includes('list')) continue;
        collections.push({
          ...{ group, version, kind, resource: name },
          ...{ apiVersion, path: `${root}/${name}` },
        });
      }
    } catch {
      // The server behind an aggregated API may be unreachable.
      silent.push(apiVersion);
    }
  }
  return { collections, silent };
}

interface GroupList {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
}
