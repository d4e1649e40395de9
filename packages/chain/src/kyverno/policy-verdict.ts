import { type KubernetesObject, kindOfObject } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { validatePolicyObject } from '@kubeadmit/kyverno';
import { clusterScopes } from '@kubeadmit/kyverno/unstable-internal';
import { deprecatedKindWarning } from '@kubeadmit/kyverno/validation';
import { policyJson } from '../readers/json.ts';
import { kyvernoRole } from '../readers/kyverno-role.ts';
import { readKyvernoPolicies } from '../readers/policies.ts';
import { findKyvernoProblems } from './policy-problems.ts';

/** Kyverno's answer to a request that creates or updates one of its objects. */
export interface ObjectVerdict {
  readonly warnings: readonly string[];
  /** Why the object is refused; empty for an accepted object. */
  readonly error: string;
}

/** The request about an object of Kyverno. */
export interface ObjectChange {
  readonly object: KubernetesObject;
  /** The stored object, of an update. */
  readonly old?: KubernetesObject | undefined;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Returns the answer of Kyverno's webhooks to the creation or update of a policy, an exception or a global context
 * entry; `undefined` for all other objects.
 */
export function kyvernoVerdict({ object, old, clock }: ObjectChange): ObjectVerdict | undefined {
  const named = kindOfObject(object);
  const role = named === undefined ? undefined : kyvernoRole(named);
  if (named === undefined || role === undefined || role === 'test') return undefined;
  const warning = deprecatedKindWarning(String(object['apiVersion']), named.kind);
  const deprecated = role === 'classic' && warning !== undefined ? [warning] : [];
  if (role === 'classic') {
    const before = old === undefined ? undefined : policyJson(old);
    const verdict = validatePolicyObject(policyJson(object), clusterScopes, before);
    return { warnings: [...verdict.warnings, ...deprecated], error: verdict.error };
  }
  const policies = readKyvernoPolicies([object], { clock });
  const messages = findKyvernoProblems([object], policies, () => true)
    .filter(({ kind }) => kind === 'refused')
    .map(({ message }) => message);
  return { warnings: [], error: messages.length === 0 ? '' : formatAggregate(messages) };
}
