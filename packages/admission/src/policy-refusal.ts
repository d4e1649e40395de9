import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { badRequestStatus } from '@kubeadmit/apimachinery/status';
import { type PolicyKind, policyGroup, validatePolicyObject } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import type { LoadedPolicies } from './loaded-policies.ts';
import { decodePolicy, invalidPolicy } from './read-policy.ts';

/** The circumstances in which a policy or binding is written. */
export interface PolicyChange {
  /** The group that the answer names; default that of kube-apiserver's policies. */
  readonly group?: string;
  /** The object before, where it is updated. */
  readonly old?: KubernetesObject | undefined;
}

/**
 * Returns the error with which kube-apiserver would reject the creation or update of a policy or binding, or
 * `undefined` if it would accept it.
 */
export function policyRefusal(
  { schemas, loaded }: { readonly schemas: Schemas; readonly loaded: LoadedPolicies },
  resource: KubernetesObject,
  { group = policyGroup, old }: PolicyChange = {},
): Status | undefined {
  const decoded = decodePolicy(schemas, resource);
  if ('message' in decoded) return badRequestStatus(decoded.message);
  const kind = kindOf(resource);
  const before = old === undefined ? undefined : decodePolicy(schemas, old);
  const given = before !== undefined && 'policy' in before ? before.policy : undefined;
  const checkers = loaded.compilers;
  const validation = { checkers, old: given };
  const errors = validatePolicyObject(kind.kind as PolicyKind, decoded.policy, validation);
  return errors.length === 0
    ? undefined
    : invalidPolicy(decoded.policy, { ...kind, group }, errors);
}
