import { type Cluster, loadCluster } from '@kubeadmit/admission';
import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { type ClusterObjects, readClusterObjects } from './cluster-objects.ts';
import { objectName, readResources } from './read-resources.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** A set of policies that requests are decided by; one request sees one of them only. */
export interface Generation {
  /** Counts the sets that came to act, from 1. */
  readonly number: number;
  readonly cluster: Cluster;
  readonly counts: PolicyCounts;
  /** What is wrong with objects of a cluster, which act as they were before or not at all. */
  readonly tolerated: readonly Problem[];
  /** The objects of a cluster as they act, by their names. */
  readonly clusterObjects: ReadonlyMap<string, KubernetesObject>;
  /** What follows when a validation of a binding fails. */
  actionsOf(binding: string): readonly string[];
}

/** How many policies act. */
export interface PolicyCounts {
  readonly validating: number;
  readonly mutating: number;
}

/** What generations are made with. */
export interface GenerationOptions {
  readonly schemas: Schemas;
  readonly kubernetesVersion: string | undefined;
  readonly previous: Generation | undefined;
}

const kyvernoGroups: ReadonlySet<string> = new Set(['kyverno.io', 'policies.kyverno.io']);

/** Makes a generation of a snapshot, or says everything that is wrong with it. */
export function makeGeneration(
  snapshot: Snapshot,
  options: GenerationOptions,
): Generation | readonly Problem[] {
  const { objects, places, problems } = readResources(snapshot);
  const unsupported = objects.filter(isKyverno).map((object) => ({
    place: places.get(objectName(object)) ?? objectName(object),
    message: `${objectName(object)}: policies of Kyverno are not supported yet`,
  }));
  const given = new Set(objects.map(objectName));
  const remote = readClusterObjects(snapshot.clusterObjects ?? [], given);
  const { cluster, resources, tolerated } = loadTolerantly(objects, remote, options);
  const refused = cluster.errors.map(({ resource, message }) => ({
    place: places.get(resource) ?? resource,
    message: `${resource}: ${message}`,
  }));
  const all = [...problems, ...refused, ...unsupported];
  if (all.length > 0) return all;
  const actions = actionsByBinding([...objects, ...resources.values()]);
  return {
    number: (options.previous?.number ?? 0) + 1,
    cluster,
    tolerated,
    clusterObjects: resources,
    counts: {
      validating: cluster.validatingPolicies.length,
      mutating: cluster.mutatingPolicies.length,
    },
    actionsOf: (binding) => actions.get(binding) ?? [],
  };
}

interface Tolerated {
  readonly cluster: Cluster;
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  readonly tolerated: readonly Problem[];
}

// What is wrong with objects of a cluster is told, and those act as they did before.
function loadTolerantly(
  objects: readonly KubernetesObject[],
  { resources, problems }: ClusterObjects,
  { schemas, kubernetesVersion, previous }: GenerationOptions,
): Tolerated {
  const load = (remote: Iterable<KubernetesObject>): Cluster =>
    loadCluster({
      resources: [...objects, ...remote],
      schemas,
      kubernetesVersion,
      previous: previous?.cluster,
      onErrors: 'report',
      checkDefinitions: false,
    });
  const cluster = load(resources.values());
  const names = new Map([...resources].map(([key, object]) => [objectName(object), key]));
  const wrong = cluster.errors.filter(({ resource }) => names.has(resource));
  if (wrong.length === 0) return { cluster, resources, tolerated: problems };
  const usable = new Map(resources);
  for (const { resource } of wrong) {
    const key = names.get(resource) ?? '';
    const before = previous?.clusterObjects.get(key);
    if (before === undefined) usable.delete(key);
    else usable.set(key, before);
  }
  const told = wrong.map(({ resource, message }) => ({ place: resource, message }));
  return { cluster: load(usable.values()), resources: usable, tolerated: [...problems, ...told] };
}

function actionsByBinding(
  objects: readonly KubernetesObject[],
): ReadonlyMap<string, readonly string[]> {
  const actions = new Map<string, readonly string[]>();
  for (const object of objects) {
    if (object['kind'] !== 'ValidatingAdmissionPolicyBinding') continue;
    const listed = member(member(object, 'spec'), 'validationActions');
    if (Array.isArray(listed)) actions.set(metadataString(object, 'name'), listed);
  }
  return actions;
}

function isKyverno({ apiVersion }: KubernetesObject): boolean {
  return kyvernoGroups.has(String(apiVersion).split('/')[0] ?? '');
}
