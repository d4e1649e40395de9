import { type Cluster, loadCluster } from '@kubeadmit/admission';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { Unsupported } from './unsupported.ts';

// Its compilers are used again.
const emptyClusters: WeakMap<Schemas, Cluster> = new WeakMap();

/**
 * Holds what comes out of a conversion against kube-apiserver's validation at creation.
 *
 * @throws Unsupported with the server's text where it would refuse one of the resources.
 */
export function refuseRefused(resources: readonly JsonObject[], schemas: Schemas): void {
  const kubernetesVersion = schemas.version;
  const given = { schemas, kubernetesVersion, onErrors: 'report' } as const;
  const previous = emptyClusters.get(schemas) ?? loadCluster({ ...given, resources: [] });
  emptyClusters.set(schemas, previous);
  const [first] = loadCluster({ ...given, resources, previous }).errors;
  if (first === undefined) return;
  throw new Unsupported(`what comes out would be refused: ${first.message}`);
}

/**
 * The newest version in which a server has a kind of `admissionregistration.k8s.io`: `v1`, or else `v1beta1` or `v1alpha1`.
 *
 * @throws Unsupported where it has none.
 */
export function servedVersion(kind: string, schemas: Schemas): string {
  const group = 'admissionregistration.k8s.io';
  const version = ['v1', 'v1beta1', 'v1alpha1'].find(
    (each) => findResourceOfKind(schemas, { group, version: each, kind }) !== undefined,
  );
  if (version === undefined) throw new Unsupported(`Kubernetes ${schemas.version} has no ${kind}`);
  return version;
}
