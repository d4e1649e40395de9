import { type Cluster, loadCluster } from '@kubeadmit/admission';
import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { readResources } from './read-resources.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** A set of policies that requests are decided by; one request sees one of them only. */
export interface Generation {
  /** Counts the sets that came to act, from 1. */
  readonly number: number;
  readonly cluster: Cluster;
  readonly counts: PolicyCounts;
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
  { schemas, kubernetesVersion, previous }: GenerationOptions,
): Generation | readonly Problem[] {
  const { objects, places, problems } = readResources(snapshot);
  const cluster = loadCluster({
    resources: objects,
    schemas,
    kubernetesVersion,
    previous: previous?.cluster,
    onErrors: 'report',
    checkDefinitions: false,
  });
  const refused = cluster.errors.map(({ resource, message }) => ({
    place: places.get(resource) ?? resource,
    message: `${resource}: ${message}`,
  }));
  const unsupported = objects.filter(isKyverno).map((object) => ({
    place: places.get(nameOf(object)) ?? nameOf(object),
    message: `${nameOf(object)}: policies of Kyverno are not supported yet`,
  }));
  const all = [...problems, ...refused, ...unsupported];
  if (all.length > 0) return all;
  const actions = actionsByBinding(objects);
  return {
    number: (previous?.number ?? 0) + 1,
    cluster,
    counts: {
      validating: cluster.validatingPolicies.length,
      mutating: cluster.mutatingPolicies.length,
    },
    actionsOf: (binding) => actions.get(binding) ?? [],
  };
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

function nameOf(object: KubernetesObject): string {
  return `${String(object['kind'])}/${metadataString(object, 'name')}`;
}
