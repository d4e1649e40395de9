import { semanticallyEqual } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import { withMember } from '../objects/metadata.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Sets the times of conditions that have none in an approval or a status (certificates `populateConditionTimestamps`).
 *
 * @param now the time as metadata has it
 */
export function withConditionTimes(
  { name, subresource }: Endpoint,
  object: KubernetesObject,
  { old, now }: { readonly old: KubernetesObject; readonly now: string },
): KubernetesObject {
  const isRequest =
    name.name === 'certificatesigningrequests' && name.group === 'certificates.k8s.io';
  if (!isRequest || subresource === undefined) return object;
  const status = memberObject(object, 'status');
  const before = memberList(member(old, 'status'), 'conditions');
  const conditions = memberList(status, 'conditions').map((condition) => {
    const same = before.find(
      (each) =>
        memberText(each, 'type') === memberText(condition, 'type') &&
        memberText(each, 'status') === memberText(condition, 'status') &&
        memberText(each, 'lastTransitionTime') !== '',
    );
    return {
      ...(condition as KubernetesObject),
      lastUpdateTime: memberText(condition, 'lastUpdateTime') || now,
      lastTransitionTime:
        memberText(condition, 'lastTransitionTime') ||
        memberText(same, 'lastTransitionTime') ||
        now,
    };
  });
  if (conditions.length === 0) return object;
  return withMember(object, 'status', { ...status, conditions });
}

/** The conditions that the approval subresource alone sets. */
const approvals: readonly string[] = ['Approved', 'Denied'];

/** Returns the errors of an update that takes back a decision or, but for the approval subresource, makes one (certificates validation). */
export function decisionErrors(
  object: KubernetesObject,
  old: KubernetesObject,
  { subresource }: Endpoint,
): FieldError[] {
  const at = 'status.conditions';
  const removed = [...approvals, 'Failed'].filter(
    (type) => conditionsOf(object, type).length < conditionsOf(old, type).length,
  );
  const errors = removed.map((type) =>
    forbidden(at, `updates may not remove a condition of type "${type}"`),
  );
  if (subresource?.name === 'approval') return errors;
  const made = approvals.filter(
    (type) => conditionsOf(object, type).length > conditionsOf(old, type).length,
  );
  return [
    ...errors,
    ...made.map((type) => forbidden(at, `updates may not add a condition of type "${type}"`)),
    ...certificateErrors(object, old),
  ];
}

function certificateErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object, old].map((each) =>
    memberText(member(each, 'status'), 'certificate'),
  );
  if (before === '' || semanticallyEqual(now, before)) return [];
  const why = 'updates may not modify existing certificate content';
  return [forbidden('status.certificate', why)];
}

function conditionsOf(request: KubernetesObject, type: string): readonly unknown[] {
  return memberList(member(request, 'status'), 'conditions').filter(
    (condition) => memberText(condition, 'type') === type,
  );
}
