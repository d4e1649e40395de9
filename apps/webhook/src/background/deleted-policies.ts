import { policyKey } from '@kubeadmit/chain/kyverno-background';
import type { ApiClient } from '../cluster/api-client.ts';
import { type Discovery, objectPath } from '../cluster/discovery.ts';
import type { Generation } from '../policies/generation.ts';

/** Where policies may still exist. */
export interface PolicyPlaces {
  readonly client: Pick<ApiClient, 'find'>;
  readonly discovery: Discovery;
  /** The set of policies in use. */
  readonly generation: Generation | undefined;
}

/**
 * Whether a policy was deleted, so that its objects are deleted too.
 *
 * A policy that is missing for another reason exists: the set has problems, the cluster does not answer, or no longer
 * serves the kind.
 */
export async function isPolicyDeleted(
  key: string,
  { client, discovery, generation }: PolicyPlaces,
): Promise<boolean> {
  if (generation === undefined || generation.asBefore.length + generation.tolerated.length > 0) {
    return false;
  }
  const known = [...generation.givenObjects, ...generation.fileObjects];
  if (known.some((object) => policyKey(object) === key)) return false;
  const [kind = '', ...place] = key.split('/');
  const [name = '', namespace = ''] = place.reverse();
  const resource = discovery.resources.find(
    (each) => each.kind === kind && /^(?:policies\.)?kyverno\.io$/.test(each.group),
  );
  if (resource === undefined) return false;
  return (await client.find(objectPath(resource, namespace, name))) === undefined;
}
