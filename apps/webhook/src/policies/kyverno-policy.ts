import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { policyKey } from '@kubeadmit/chain/kyverno-background';
import type { Response } from '@kubeadmit/chain/kyverno-resources';
import type { Generation } from './generation.ts';

const known = new WeakMap<Generation, ReadonlyMap<string, KubernetesObject>>();

/** Returns the policy in the cluster that a response of Kyverno is from; undefined for policies of files. */
export function kyvernoPolicyOf(
  generation: Generation,
  { kind, namespace, policy }: Pick<Response, 'kind' | 'namespace' | 'policy'>,
): KubernetesObject | undefined {
  const policies = getOrMake(
    known,
    generation,
    () => new Map(generation.givenObjects.map((object) => [policyKey(object), object])),
  );
  return policies.get([kind, namespace, policy].filter((part) => part !== '').join('/'));
}
