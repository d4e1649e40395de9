import type { WebhookPart } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import type { KyvernoPolicies } from '../readers/policies.ts';
import { kyvernoWebhookFailurePolicy } from './webhook-failure-policy.ts';

/** The policies that act on requests. */
type ActingPolicies = Pick<KyvernoPolicies, 'classic' | 'cel'>;

/** Returns the policies that are evaluated for requests, or undefined if these are all of them. */
export function ofRequests({ classic, cel }: ActingPolicies): ActingPolicies | undefined {
  const own = {
    classic: classic.filter(({ object }) => member(specOf(object), 'admission') !== false),
    cel: cel.filter(({ object }) => {
      const admission = member(member(specOf(object), 'evaluation'), 'admission');
      return member(admission, 'enabled') !== false;
    }),
  };
  const isSame = own.classic.length === classic.length && own.cel.length === cel.length;
  return isSame ? undefined : own;
}

/** Returns the policies of one webhook of a step. */
export function ofWebhook(
  { classic, cel }: ActingPolicies,
  step: 'mutate' | 'validate',
  { failurePolicy, split }: WebhookPart,
): ActingPolicies {
  return {
    classic: classic.filter(
      ({ object }) => kyvernoWebhookFailurePolicy(step, split, { object }) === failurePolicy,
    ),
    cel: cel.filter((each) => kyvernoWebhookFailurePolicy(step, split, each) === failurePolicy),
  };
}

/** Whether any policy may change objects. */
export function hasMutations({ classic, cel }: ActingPolicies, verifiesImages: boolean): boolean {
  return (
    classic.some(({ policy }) => policy.hasMutate || (verifiesImages && policy.hasImages)) ||
    cel.some(({ policy: { type } }) => type === 'Mutation' || type === 'ImageVerify')
  );
}

/** Whether any policy may generate objects. */
export function hasGenerations({ classic, cel }: ActingPolicies): boolean {
  return (
    classic.some(({ policy }) => policy.hasGenerate) ||
    cel.some(({ policy }) => policy.type === 'Generation')
  );
}

function specOf(object: KubernetesObject): unknown {
  return member(object, 'spec');
}
