import type { Chain } from '@kubeadmit/check/chain';
import { concernedKinds } from '@kubeadmit/check/internal';
import type { ServedResource } from '../input/elsewhere/kubectl.ts';

/** Kinds that come and go by themselves, or decide: nobody wants to hear what policies say of them. */
const left: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/** The resources of a cluster that policies can concern, or those that are asked for by kind or plural. */
export async function scannedResources(
  served: readonly ServedResource[],
  chain: Chain,
  kinds: readonly string[] | undefined,
): Promise<readonly ServedResource[]> {
  const shown = served.filter(({ group, plural }) => !left.has(`${group}/${plural}`));
  if (kinds !== undefined) {
    const wanted = new Set(kinds.map((kind) => kind.toLowerCase()));
    return shown.filter(({ kind, plural }) => wanted.has(kind.toLowerCase()) || wanted.has(plural));
  }
  const concerns = await concernedKinds(chain, { withMutating: true });
  return shown.filter((resource) => concerns({ ...resource, resource: resource.plural }));
}
