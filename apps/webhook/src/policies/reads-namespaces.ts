import type { Chain } from '@kubeadmit/chain';
import { NamespaceAssumptions } from '@kubeadmit/chain/unstable-internal';
import { stringifyJson } from '@kubeadmit/go';

/**
 * Whether a decision may depend on more of a namespace than its name: a selector reads its labels, or an expression
 * names `namespaceObject`.
 */
export function readsNamespaces(chain: Chain): boolean {
  const { cluster, kyverno } = chain;
  const { classic = [], cel = [] } = kyverno?.policies ?? {};
  const specs = [
    ...[...cluster.validatingPolicies, ...cluster.mutatingPolicies].map(({ spec }) => spec),
    ...[...classic, ...cel].map(({ object }) => object['spec']),
  ];
  return (
    !new NamespaceAssumptions(chain).isEmpty ||
    kyverno?.assumptions.isEmpty === false ||
    specs.some((spec) => stringifyJson(spec ?? null).includes('namespaceObject'))
  );
}
