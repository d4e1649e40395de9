import { annotationsOf, type KubernetesObject } from '@kubeadmit/apimachinery';
import { parseReference, quote } from '@kubeadmit/go';
import { type Condition, groupOfDefinition } from './conditions.ts';

const annotation = 'api-approved.kubernetes.io';
const link = 'see https://github.com/kubernetes/enhancements/pull/1111';
const demand = `protected groups must have approval annotation ${quote(annotation)}`;

/**
 * Returns the condition of a definition in a group of the Kubernetes community; undefined for other groups
 * (apiextensions apiapproval controller).
 */
export function approvalCondition(
  definition: KubernetesObject,
  now: string,
): Condition | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(groupOfDefinition(definition))) return undefined;
  const approval = String(annotationsOf(definition)?.[annotation] ?? '');
  const [reason, message] = approvalState(approval);
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: reason === 'ApprovedAnnotation' ? 'True' : 'False',
    lastTransitionTime: now,
    reason,
    message,
  };
}

function approvalState(approval: string): readonly [reason: string, message: string] {
  if (approval === '') return ['MissingAnnotation', `${demand}, ${link}`];
  if (approval.startsWith('unapproved')) {
    return ['UnapprovedAnnotation', `not approved: ${quote(approval)}`];
  }
  const url = parseReference(approval);
  if (!('error' in url) && url.host !== '' && url.scheme !== '') {
    return ['ApprovedAnnotation', `approved in ${approval}`];
  }
  const form = 'with either a URL or a reason starting with "unapproved"';
  return ['InvalidAnnotation', `${demand} ${form}, ${link}`];
}
