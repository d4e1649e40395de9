import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { decode } from '@kubeadmit/schemas';
import type { Cluster } from './cluster.ts';

/** Replaces a namespace of a loaded cluster, or removes it; requests from now on see it. */
export function setNamespace(
  { schemas, namespaces, policies, staticPolicies }: Cluster,
  name: string,
  namespace: KubernetesObject | undefined,
): void {
  const decoded = namespace && decode(schemas, namespace).object;
  // Each loaded cluster owns its map.
  const changing = namespaces as Map<string, KubernetesObject>;
  if (decoded === undefined) changing.delete(name);
  else changing.set(name, decoded);
  for (const set of [policies, staticPolicies]) {
    set?.validating.index.reconsider();
    set?.mutating.index.reconsider();
  }
}
