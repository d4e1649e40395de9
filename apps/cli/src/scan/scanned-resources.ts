import { closest, didYouMean } from '@kubeadmit/base';
import type { Chain } from '@kubeadmit/chain';
import { concernedKinds } from '@kubeadmit/chain/scan';
import type { ServedResource } from '../input/elsewhere/kubectl.ts';
import { CommandFailure } from '../process/terminal.ts';

/** Kinds that come and go by themselves: verdicts about them are of little use. */
const left: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/**
 * Returns the resources of a cluster that policies can match, or those selected by kind or plural.
 *
 * @throws CommandFailure for a kind that the cluster does not list.
 */
export async function scannedResources(
  served: readonly ServedResource[],
  chain: Chain,
  kinds: readonly string[] | undefined,
): Promise<readonly ServedResource[]> {
  if (kinds !== undefined) return [...new Set(kinds.flatMap((kind) => resourcesOf(kind, served)))];
  const concerns = await concernedKinds(chain, { withMutating: true });
  return served.filter(
    ({ plural, ...resource }) =>
      !left.has(`${resource.group}/${plural}`) && concerns({ ...resource, resource: plural }),
  );
}

function resourcesOf(asked: string, served: readonly ServedResource[]): readonly ServedResource[] {
  const name = asked.toLowerCase();
  const found = served.filter(({ kind, plural }) => kind.toLowerCase() === name || plural === name);
  if (found.length > 0) return found;
  const meant = closest(
    asked,
    served.flatMap(({ kind, plural }) => [kind, plural]),
  );
  throw new CommandFailure(`--kinds ${asked}: the cluster has no such kind${didYouMean(meant)}`);
}
