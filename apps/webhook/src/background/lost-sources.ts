import { type KubernetesObject, labelsOf } from '@kubeadmit/apimachinery';
import type { WantedOfTrigger } from '@kubeadmit/chain/kyverno-background';
import type { Discovery } from '../cluster/discovery.ts';
import type { GeneratedObject } from './generated-index.ts';
import type { ObjectWriter } from './object-writer.ts';

/** The cluster in which sources are looked for. */
export interface SourceCluster {
  readonly discovery: Discovery;
  readonly writer: Pick<ObjectWriter, 'read'>;
  /** Whether policies see an object with a UID. */
  readonly hasSource: (uid: string) => boolean;
}

/**
 * Returns the objects of a trigger that were cloned from an object that expressions no longer find.
 *
 * Policies may see a source too late or lose the permission to read it, so that it is read from the cluster first.
 *
 * @throws ApiError if the cluster does not answer
 */
export async function clonesOfLostSources(
  present: readonly GeneratedObject[],
  wanted: readonly WantedOfTrigger[],
  { discovery, writer, hasSource }: SourceCluster,
): Promise<readonly GeneratedObject[]> {
  const failed = wanted.filter(({ extent, problem }) => extent === 'unknown' && problem !== '');
  const lost: GeneratedObject[] = [];
  for (const { apiVersion, resource: plural, namespace, name } of failed.flatMap(
    ({ missing = [] }) => missing,
  )) {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const [resource] = await discovery.select({ group, version, kind: '', resource: plural });
    if (resource === undefined) continue;
    const object: KubernetesObject = { metadata: { namespace, name } };
    if ((await writer.read({ resource, object })) !== undefined) continue;
    const clones = present.filter((one) => one.resource.path === resource.path);
    lost.push(...clones.filter((one) => isCloneOfLost(one, hasSource)));
  }
  return [...new Set(lost)];
}

function isCloneOfLost({ object }: GeneratedObject, hasSource: (uid: string) => boolean): boolean {
  const uid = labelsOf(object)['generate.kyverno.io/source-uid'] ?? '';
  return uid !== '' && !hasSource(uid);
}
