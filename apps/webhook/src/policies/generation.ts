import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Chain, loadChain } from '@kubeadmit/check';
import type { Schemas } from '@kubeadmit/schemas';
import { type ClusterObjects, readClusterObjects } from './cluster-objects.ts';
import { kyvernoProblems } from './kyverno-problems.ts';
import { objectName, readResources } from './read-resources.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** A set of policies that requests are decided by; one request sees one of them only. */
export interface Generation {
  /** Counts the sets that came to act, from 1. */
  readonly number: number;
  readonly chain: Chain;
  readonly counts: PolicyCounts;
  /** What is wrong with objects of a cluster, which act as they were before or not at all. */
  readonly tolerated: readonly Problem[];
  /** The objects of a cluster as they act, by their names. */
  readonly clusterObjects: ReadonlyMap<string, KubernetesObject>;
}

/** How many policies act. */
export interface PolicyCounts {
  readonly validating: number;
  readonly mutating: number;
  readonly kyverno: number;
}

/** What generations are made with. */
export interface GenerationOptions {
  readonly schemas: Schemas;
  readonly kubernetesVersion: string | undefined;
  readonly previous: Generation | undefined;
}

/** Makes a generation of a snapshot, or says everything that is wrong with it. */
export async function makeGeneration(
  snapshot: Snapshot,
  options: GenerationOptions,
): Promise<Generation | readonly Problem[]> {
  const { objects, places, problems } = readResources(snapshot);
  const given = new Set(objects.map(objectName));
  const remote = readClusterObjects(snapshot.clusterObjects ?? [], given);
  const { chain, resources, tolerated } = await loadTolerantly(objects, remote, options);
  const refused = chain.cluster.errors.map(({ resource, message }) => ({
    place: places.get(resource) ?? resource,
    message: `${resource}: ${message}`,
  }));
  const kyverno = kyvernoProblems(chain, places);
  const all = [...problems, ...refused, ...kyverno.refused];
  if (all.length > 0) return all;
  return {
    number: (options.previous?.number ?? 0) + 1,
    chain,
    tolerated: [...tolerated, ...kyverno.unsupported],
    clusterObjects: resources,
    counts: {
      validating: chain.cluster.validatingPolicies.length,
      mutating: chain.cluster.mutatingPolicies.length,
      kyverno: kyverno.count,
    },
  };
}

interface Tolerated {
  readonly chain: Chain;
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  readonly tolerated: readonly Problem[];
}

// What is wrong with objects of a cluster is told, and those act as they did before.
async function loadTolerantly(
  objects: readonly KubernetesObject[],
  { resources, problems }: ClusterObjects,
  { schemas, kubernetesVersion, previous }: GenerationOptions,
): Promise<Tolerated> {
  const load = (remote: Iterable<KubernetesObject>): Promise<Chain> =>
    loadChain({
      resources: [...objects, ...remote],
      schemas,
      kubernetesVersion,
      clock: Date.now,
      previous: previous?.chain,
    });
  const chain = await load(resources.values());
  const names = new Map([...resources].map(([key, object]) => [objectName(object), key]));
  const wrong = chain.cluster.errors.filter(({ resource }) => names.has(resource));
  if (wrong.length === 0) return { chain, resources, tolerated: problems };
  const usable = new Map(resources);
  for (const { resource } of wrong) {
    const key = names.get(resource) ?? '';
    const before = previous?.clusterObjects.get(key);
    if (before === undefined) usable.delete(key);
    else usable.set(key, before);
  }
  const told = wrong.map(({ resource, message }) => ({ place: resource, message }));
  return {
    chain: await load(usable.values()),
    resources: usable,
    tolerated: [...problems, ...told],
  };
}
