import { setNamespace as setClusterNamespace } from '@kubeadmit/admission/unstable-internal';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Chain } from './chain.ts';

/** Replaces a namespace of a loaded chain, or removes it; requests from now on see it. */
export function setNamespace(
  { cluster, kyverno }: Chain,
  name: string,
  namespace: KubernetesObject | undefined,
): void {
  setClusterNamespace(cluster, name, namespace);
  kyverno?.setNamespace(name, namespace);
}
