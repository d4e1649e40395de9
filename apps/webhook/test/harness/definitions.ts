import { readFileSync } from 'node:fs';
import { readManifests, Source } from '@kubeadmit/manifest';

/** The definitions of `policies.kubeadmit.dev`. */
export function ownDefinitions(): readonly object[] {
  const text = readFileSync(new URL('../../manifests/definitions.yaml', import.meta.url), 'utf8');
  return readManifests(new Source('definitions.yaml', text)).manifests.map(({ object }) => object);
}

/** Definitions for Kyverno's kinds that take every field. */
export function kyvernoDefinitions(): readonly object[] {
  return [
    definition('kyverno.io', 'v1', 'ClusterPolicy', 'clusterpolicies', 'Cluster'),
    definition('kyverno.io', 'v1', 'Policy', 'policies', 'Namespaced'),
    definition('kyverno.io', 'v2', 'PolicyException', 'policyexceptions', 'Namespaced'),
    definition('policies.kyverno.io', 'v1', 'ValidatingPolicy', 'validatingpolicies', 'Cluster'),
  ];
}

function definition(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: string,
): object {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { kind, plural } },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
