import { readFileSync } from 'node:fs';
import { readManifests, Source } from '@kubeadmit/manifest';
import type { ApiObject } from './cluster.ts';

/** The definitions of `policies.kubeadmit.dev`. */
export function ownDefinitions(): readonly object[] {
  const text = readFileSync(new URL('../../manifests/definitions.yaml', import.meta.url), 'utf8');
  return readManifests(new Source('definitions.yaml', text)).manifests.map(({ object }) => object);
}

/** Definitions for Kyverno's kinds that take every field. */
export function kyvernoDefinitions(): readonly object[] {
  return [
    taken('kyverno.io', 'v1', 'ClusterPolicy', 'clusterpolicies', 'Cluster'),
    taken('kyverno.io', 'v1', 'Policy', 'policies', 'Namespaced'),
    taken('kyverno.io', 'v2', 'PolicyException', 'policyexceptions', 'Namespaced'),
    taken('policies.kyverno.io', 'v1', 'ValidatingPolicy', 'validatingpolicies', 'Cluster'),
  ];
}

/** Definitions for Kyverno's kinds that act in the background. */
export function backgroundDefinitions(): readonly object[] {
  const [v2, v1] = ['kyverno.io', 'policies.kyverno.io'];
  return [
    taken(v2, 'v2', 'ClusterCleanupPolicy', 'clustercleanuppolicies', 'Cluster'),
    taken(v2, 'v2', 'CleanupPolicy', 'cleanuppolicies', 'Namespaced'),
    taken(v1, 'v1', 'GeneratingPolicy', 'generatingpolicies', 'Cluster'),
    taken(v1, 'v1', 'NamespacedGeneratingPolicy', 'namespacedgeneratingpolicies', 'Namespaced'),
    taken(v1, 'v1', 'DeletingPolicy', 'deletingpolicies', 'Cluster'),
    taken(v1, 'v1', 'NamespacedDeletingPolicy', 'namespaceddeletingpolicies', 'Namespaced'),
    taken(v1, 'v1', 'MutatingPolicy', 'mutatingpolicies', 'Cluster'),
    taken(v1, 'v1', 'NamespacedMutatingPolicy', 'namespacedmutatingpolicies', 'Namespaced'),
  ];
}

function taken(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: string,
): ApiObject {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return definition({ group, version, kind, plural, scope, openAPIV3Schema });
}

/** The definition of a kind in one version. */
export interface Defined {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: string;
  readonly openAPIV3Schema: object;
}

/** The CustomResourceDefinition of a kind. */
export function definition({ group, version, kind, plural, scope, ...schema }: Defined): ApiObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { kind, plural } },
      versions: [
        { name: version, served: true, storage: true, schema, subresources: { status: {} } },
      ],
    },
  };
}
