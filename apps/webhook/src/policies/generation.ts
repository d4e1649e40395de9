import type { ResourceProblem } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Chain, loadChain } from '@kubeadmit/chain';
import type { KyvernoProblem } from '@kubeadmit/chain/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import type { LiveImages } from '../images/live-images.ts';
import { readsImages } from '../images/reads-images.ts';
import { type ClusterObjects, readClusterObjects } from './cluster-objects.ts';
import { imageNotes } from './image-notes.ts';
import { missingParameters } from './missing-parameters.ts';
import { notesOf } from './notes.ts';
import { objectName, type Resources, readResources } from './read-resources.ts';
import { readsNamespaces } from './reads-namespaces.ts';
import type { Problem, Snapshot } from './snapshot.ts';
import { UnknownNamespaces } from './unknown-namespaces.ts';

/** A set of policies that requests are decided by; one request sees one of them only. */
export interface Generation {
  /** The number of the set, counted from 1 over all sets that came into use. */
  readonly number: number;
  readonly chain: Chain;
  readonly counts: PolicyCounts;
  /**
   * Problems with objects that do not block the set; such an object keeps its last valid version or is not used.
   */
  readonly tolerated: readonly Problem[];
  /** The names of the cluster objects that keep an earlier version or are not used. */
  readonly asBefore: readonly string[];
  /** Warnings about a valid set, such as policies without effect and unknown fields. */
  readonly notes: readonly Problem[];
  /** The objects of a cluster as they are used, by their names. */
  readonly clusterObjects: ReadonlyMap<string, KubernetesObject>;
  /** The objects of a cluster as it has them. */
  readonly givenObjects: readonly KubernetesObject[];
  /** The objects of files. */
  readonly fileObjects: readonly KubernetesObject[];
  /** Whether decisions may depend on more of a namespace than its name. */
  readonly readsNamespaces: boolean;
  /** The images of registries, if a policy reads images. */
  readonly images: LiveImages | undefined;
  /** Reports selectors on unknown namespaces; `undefined` if a cluster knows all namespaces. */
  readonly unknownNamespaces: UnknownNamespaces | undefined;
}

/** The numbers of policies in use. */
export interface PolicyCounts {
  readonly validating: number;
  readonly mutating: number;
  readonly kyverno: number;
}

/** The options for making a generation. */
export interface GenerationOptions {
  readonly schemas: Schemas;
  readonly kubernetesVersion: string | undefined;
  readonly previous: Generation | undefined;
  /** How to handle a set with an invalid policy. */
  readonly onInvalid: OnInvalidPolicy;
  /** Whether this program also does the background work of policies. */
  readonly hasBackground: boolean;
  /** Returns the images of registries; called if a policy reads images. */
  readonly openImages: (() => Promise<LiveImages>) | undefined;
}

/**
 * How to handle a set with an invalid policy: keep the previous set (`keep-last`), use the rest of the new set
 * (`skip`), or decide no request (`fail`).
 */
export type OnInvalidPolicy = 'keep-last' | 'skip' | 'fail';

/** Returns the generation of a snapshot, or all of its problems. */
export async function makeGeneration(
  snapshot: Snapshot,
  options: GenerationOptions,
): Promise<Generation | readonly Problem[]> {
  const read = readResources(snapshot);
  const made = await makeOf(snapshot, read, options);
  if (!('refused' in made)) return made;
  const { problems, refused } = made;
  if (options.onInvalid !== 'skip') return problems;
  const objects = read.objects.filter((object) => !refused.has(objectName(object)));
  const rest = await makeOf(snapshot, { ...read, objects, problems: [] }, options);
  if ('refused' in rest) return [...problems, ...rest.problems];
  return { ...rest, tolerated: [...problems, ...rest.tolerated] };
}

interface Refused {
  readonly problems: readonly Problem[];
  /** The objects that cannot be used, by their names. */
  readonly refused: ReadonlySet<string>;
}

async function makeOf(
  snapshot: Snapshot,
  { objects, problemAbout, problems }: Resources,
  options: GenerationOptions,
): Promise<Generation | Refused> {
  const given = new Set(objects.map(objectName));
  const remote = readClusterObjects(snapshot.clusterObjects ?? [], given);
  const { unreadableKinds = [] } = snapshot;
  const loaded = await loadTolerantly(objects, remote, { ...options, unreadableKinds });
  const { chain, resources, images, tolerated, asBefore, problemsOfKyverno } = loaded;
  const ofKyverno = (wanted: KyvernoProblem['kind']): readonly ResourceProblem[] =>
    problemsOfKyverno
      .filter(({ kind }) => kind === wanted)
      .map(({ object, message }) => ({ resource: objectName(object), message }));
  const refused: readonly ResourceProblem[] = [...chain.cluster.errors, ...ofKyverno('refused')];
  const problemOf = ({ resource, message }: ResourceProblem): Problem =>
    problemAbout(resource, message);
  const all = [...problems, ...refused.map(problemOf)];
  if (all.length > 0) {
    return { problems: all, refused: new Set(refused.map(({ resource }) => resource)) };
  }
  const { classic = [], cel = [] } = chain.kyverno?.policies ?? {};
  const counts: PolicyCounts = {
    validating: chain.cluster.validatingPolicies.length,
    mutating: chain.cluster.mutatingPolicies.length,
    kyverno: classic.length + cel.length,
  };
  const unknownNamespaces =
    snapshot.clusterObjects === undefined ? new UnknownNamespaces(chain) : undefined;
  return {
    number: (options.previous?.number ?? 0) + 1,
    chain,
    tolerated: [...tolerated, ...ofKyverno('unsupported').map(problemOf)],
    asBefore,
    notes: [
      ...notesOf(chain, objects, problemAbout),
      ...(images === undefined
        ? []
        : imageNotes([...objects, ...resources.values()], problemAbout)),
      ...(Object.values(counts).every((count) => count === 0) ? [nothingActs] : []),
      ...(unknownNamespaces === undefined
        ? []
        : [...unknownNamespaces.notes, ...missingParameters(chain, objects, problemAbout)]),
    ],
    readsNamespaces: readsNamespaces(chain),
    images,
    unknownNamespaces,
    clusterObjects: resources,
    givenObjects: remote.given,
    fileObjects: objects,
    counts,
  };
}

const nothingActs: Problem = {
  place: 'policies',
  message: 'no policies, so every request is allowed',
};

/** A problem that the option for background work solves. */
function withOption(problem: KyvernoProblem): KyvernoProblem {
  return { ...problem, message: `${problem.message} (\`--background\`)` };
}

interface Loaded {
  readonly chain: Chain;
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  readonly images: LiveImages | undefined;
  readonly problemsOfKyverno: readonly KyvernoProblem[];
}

interface Tolerated extends Loaded {
  readonly tolerated: readonly Problem[];
  readonly asBefore: readonly string[];
}

// Reports invalid cluster objects and loads the set with their previous versions or without them.
async function loadTolerantly(
  objects: readonly KubernetesObject[],
  { resources, problems }: ClusterObjects,
  {
    previous,
    onInvalid,
    hasBackground,
    openImages,
    ...options
  }: GenerationOptions & Pick<Snapshot, 'unreadableKinds'>,
): Promise<Tolerated> {
  const load = async (remote: ReadonlyMap<string, KubernetesObject>): Promise<Loaded> => {
    const all = [...objects, ...remote.values()];
    const images = readsImages(all) ? await openImages?.() : undefined;
    const chain = await loadChain({
      resources: all,
      ...options,
      images: images?.cached,
      clock: Date.now,
      previous: previous?.chain,
    });
    const stored = new Set(remote.values());
    const { kyverno } = chain;
    const problemsOfKyverno =
      kyverno === undefined
        ? []
        : [
            ...kyverno.diagnostics.problems((object) => stored.has(object)),
            ...(hasBackground ? [] : kyverno.diagnostics.backgroundProblems.map(withOption)),
          ];
    return { chain, resources: remote, images, problemsOfKyverno };
  };
  const loaded = await load(resources);
  const wrong = wrongObjects(loaded);
  if (wrong.length === 0) return { ...loaded, tolerated: problems, asBefore: [] };
  const usable = new Map(resources);
  for (const { key } of wrong) {
    const before = onInvalid === 'skip' ? undefined : previous?.clusterObjects.get(key);
    if (before === undefined) usable.delete(key);
    else usable.set(key, before);
  }
  const told = wrong.map(({ key, place, message }) => ({ place, message, source: key }));
  if (onInvalid === 'fail') return { ...loaded, tolerated: problems, asBefore: [] };
  const asBefore = wrong.map(({ key }) => key);
  return { ...(await load(usable)), tolerated: [...problems, ...told], asBefore };
}

// Returns the errors of cluster objects that kube-apiserver or Kyverno would reject.
function wrongObjects({
  chain,
  resources,
  problemsOfKyverno,
}: Loaded): readonly (Problem & { readonly key: string })[] {
  const keys = new Map([...resources].map(([key, object]) => [object, key]));
  const names = new Map([...resources].map(([key, object]) => [objectName(object), key]));
  return [
    ...chain.cluster.errors.flatMap(({ resource, message }) => {
      const key = names.get(resource);
      return key === undefined ? [] : [{ key, place: resource, message }];
    }),
    ...problemsOfKyverno.flatMap(({ kind, object, message }) => {
      const key = kind === 'refused' ? keys.get(object) : undefined;
      return key === undefined ? [] : [{ key, place: objectName(object), message }];
    }),
  ];
}
