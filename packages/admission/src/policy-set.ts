import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type {
  CompiledMutatingPolicy,
  CompiledValidatingPolicy,
  MutatingSpec,
  PolicyBinding,
  ValidatingSpec,
} from '@kubeadmit/engine';
import { BoundPolicies } from './bound-policies.ts';
import type { PolicySetOptions } from './policy-hook.ts';

/** Valid policies and bindings in the form of version v1, which come and go one by one. */
export interface PolicySet {
  readonly validating: BoundPolicies<ValidatingSpec, CompiledValidatingPolicy>;
  readonly mutating: BoundPolicies<MutatingSpec, CompiledMutatingPolicy>;
}

/** A set without policies. */
export function makePolicySet(options: PolicySetOptions): PolicySet {
  const { shared } = options;
  return {
    validating: new BoundPolicies(options, (spec) => shared.compiledValidating(spec)),
    mutating: new BoundPolicies(options, (spec) => shared.compiledMutating(spec)),
  };
}

/** Adds a policy or binding; a policy that is added twice acts twice. */
export function addTo(set: PolicySet, object: KubernetesObject): void {
  changingList(set, object).push(object);
}

/** Takes out a policy or binding that was added. */
export function takeFrom(set: PolicySet, object: KubernetesObject): void {
  const list = changingList(set, object);
  const place = list.indexOf(object);
  if (place >= 0) list.splice(place, 1);
}

/** Marks a policy for rebuilding because its parameters changed. */
export function refresh(set: PolicySet, policy: KubernetesObject): void {
  changingList(set, policy);
}

/**
 * Returns the list that contains or will contain a policy or binding, and marks the policies of that name for
 * rebuilding.
 */
function changingList(set: PolicySet, object: KubernetesObject): object[] {
  const kind = String(object['kind']);
  const bound = kind.startsWith('Validating') ? set.validating : set.mutating;
  return kind.endsWith('Binding')
    ? bound.changing((object as PolicyBinding).spec?.policyName ?? '').bindings
    : bound.changing(metadataString(object, 'name')).policies;
}
