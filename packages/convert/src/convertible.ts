import type { JsonObject } from '@kubeadmit/apimachinery';
import { isConstraint } from '@kubeadmit/gatekeeper';

// Called for every object, even if nothing is converted: this module loads none of the converter.

/** Whether an object is a ValidatingPolicy or MutatingPolicy, of the cluster or of a namespace. */
export function isCelKind({ apiVersion, kind }: JsonObject): boolean {
  const isKyverno = typeof apiVersion === 'string' && apiVersion.startsWith('policies.kyverno.io/');
  return isKyverno && /^(?:Namespaced)?(?:Validating|Mutating)Policy$/.test(String(kind));
}

/** Whether an object is a CleanupPolicy or ClusterCleanupPolicy. */
export function isCleanup({ apiVersion, kind }: JsonObject): boolean {
  const isKyverno = typeof apiVersion === 'string' && apiVersion.startsWith('kyverno.io/');
  return isKyverno && (kind === 'CleanupPolicy' || kind === 'ClusterCleanupPolicy');
}

/** Whether an object is a policy that `convertPolicy` reads. */
export function isConvertible(object: JsonObject): boolean {
  const { apiVersion, kind } = object;
  const isKyverno = typeof apiVersion === 'string' && apiVersion.startsWith('kyverno.io/');
  const isClassic = isKyverno && (kind === 'ClusterPolicy' || kind === 'Policy');
  return (
    isClassic ||
    isCleanup(object) ||
    isCelKind({ apiVersion, kind }) ||
    isConstraint({ apiVersion })
  );
}
