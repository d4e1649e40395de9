import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Chain, loadChain } from '@kubeadmit/check';
import type { Schemas } from '@kubeadmit/schemas';
import { type ClusterObjects, readClusterObjects } from './cluster-objects.ts';
import { kyvernoProblems, refusedByKyverno } from './kyverno-problems.ts';
import { notesOf } from './notes.ts';
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
  /** What is right and hardly meant: what has no effect, and fields that do not exist. */
  readonly notes: readonly Problem[];
  /** The objects of a cluster as they act, by their names. */
  readonly clusterObjects: ReadonlyMap<string, KubernetesObject>;
  /** The objects of a cluster as it has them. */
  readonly givenObjects: readonly KubernetesObject[];
  /** The objects of files. */
  readonly fileObjects: readonly KubernetesObject[];
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
  readonly unreadableKinds?: readonly string[] | undefined;
}

/** Makes a generation of a snapshot, or says everything that is wrong with it. */
export async function makeGeneration(
  snapshot: Snapshot,
  options: GenerationOptions,
): Promise<Generation | readonly Problem[]> {
  const { objects, places, problems } = readResources(snapshot);
  const given = new Set(objects.map(objectName));
  const remote = readClusterObjects(snapshot.clusterObjects ?? [], given);
  const { unreadableKinds } = snapshot;
  const { chain, resources, tolerated } = await loadTolerantly(objects, remote, {
    ...options,
    unreadableKinds,
  });
  const refused = chain.cluster.errors.map(({ resource, message }) => ({
    place: places.get(resource) ?? resource,
    message: `${resource}: ${message}`,
  }));
  const stored = new Set(resources.values());
  const kyverno = kyvernoProblems(chain, places, (object) => stored.has(object));
  const all = [...problems, ...refused, ...kyverno.refused];
  if (all.length > 0) return all;
  const counts: PolicyCounts = {
    validating: chain.cluster.validatingPolicies.length,
    mutating: chain.cluster.mutatingPolicies.length,
    kyverno: kyverno.count,
  };
  return {
    number: (options.previous?.number ?? 0) + 1,
    chain,
    tolerated: [...tolerated, ...kyverno.unsupported],
    notes: notesOf(chain, objects, {
      places,
      hasNone: counts.validating + counts.mutating + counts.kyverno === 0,
    }),
    clusterObjects: resources,
    givenObjects: remote.given,
    fileObjects: objects,
    counts,
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
  { previous, ...options }: GenerationOptions,
): Promise<Tolerated> {
  const load = (remote: Iterable<KubernetesObject>): Promise<Chain> =>
    loadChain({
      resources: [...objects, ...remote],
      ...options,
      clock: Date.now,
      previous: previous?.chain,
    });
  const chain = await load(resources.values());
  const wrong = wrongObjects(chain, resources);
  if (wrong.length === 0) return { chain, resources, tolerated: problems };
  const usable = new Map(resources);
  for (const { key } of wrong) {
    const before = previous?.clusterObjects.get(key);
    if (before === undefined) usable.delete(key);
    else usable.set(key, before);
  }
  const told = wrong.map(({ place, message }) => ({ place, message }));
  return {
    chain: await load(usable.values()),
    resources: usable,
    tolerated: [...problems, ...told],
  };
}

// What kube-apiserver or Kyverno would refuse among the objects of a cluster.
function wrongObjects(
  chain: Chain,
  resources: ReadonlyMap<string, KubernetesObject>,
): readonly (Problem & { readonly key: string })[] {
  const keys = new Map([...resources].map(([key, object]) => [object, key]));
  const names = new Map([...resources].map(([key, object]) => [objectName(object), key]));
  return [
    ...chain.cluster.errors.flatMap(({ resource, message }) => {
      const key = names.get(resource);
      return key === undefined ? [] : [{ key, place: resource, message }];
    }),
    ...refusedByKyverno(chain, (object) => keys.has(object)).flatMap(({ object, message }) => {
      const key = keys.get(object);
      return key === undefined ? [] : [{ key, place: objectName(object), message }];
    }),
  ];
}
