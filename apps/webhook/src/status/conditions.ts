import { type JsonObject, memberList, memberObject, memberText } from '@kubeadmit/apimachinery';
import type { WantedStatus } from './wanted-status.ts';

/** A condition of a policy (`metav1.Condition`), without its time. */
interface Condition {
  readonly type: string;
  readonly isTrue: boolean;
  readonly message: string;
}

/**
 * Returns the status of a policy with its conditions, as Kyverno writes them.
 *
 * @param missing the permissions that scans lack, as Kyverno lists them
 * @param now the time of conditions that change, as in RFC 3339
 */
export function statusWithConditions(
  wanted: WantedStatus,
  before: JsonObject,
  { missing, now }: { readonly missing: readonly string[]; readonly now: string },
): JsonObject {
  if (!wanted.isCel) {
    const condition = readyCondition(wanted);
    return {
      ...wanted.fields,
      conditions: merge(memberList(before, 'conditions'), [condition], now),
    };
  }
  const { message = '', conditions } = memberObject(before, 'conditionStatus');
  const merged = merge(
    Array.isArray(conditions) ? conditions : [],
    celConditions(wanted, missing),
    now,
  );
  const ready = merged.every(({ status }) => status === 'True');
  return { ...wanted.fields, conditionStatus: { conditions: merged, message, ready } };
}

function readyCondition({ isInUse }: WantedStatus): Condition {
  return { type: 'Ready', isTrue: isInUse, message: isInUse ? 'Ready' : 'Not Ready' };
}

function celConditions(
  { isInUse, isForRequests, scanned }: WantedStatus,
  missing: readonly string[],
): readonly Condition[] {
  return [
    // A policy in the cluster that cannot be evaluated is never ready, whatever it is for.
    ...(isForRequests || !isInUse ? [configured(isInUse)] : []),
    permitted(scanned !== undefined, missing),
  ];
}

function configured(isTrue: boolean): Condition {
  const message = isTrue ? 'Webhook configured.' : 'Policy is not configured in the webhook.';
  return { type: 'WebhookConfigured', isTrue, message };
}

function permitted(isScanned: boolean, missing: readonly string[]): Condition {
  const type = 'RBACPermissionsGranted';
  if (!isScanned) {
    const message = 'Background scanning disabled; reporting permissions not required.';
    return { type, isTrue: true, message };
  }
  return missing.length === 0
    ? { type, isTrue: true, message: 'Policy is ready for reporting.' }
    : {
        type,
        isTrue: false,
        message: `Policy is not ready for reporting, missing permissions: ${missing.join('; ')}.`,
      };
}

// The time of a condition is that of the last change of its status, as in `meta.SetStatusCondition`.
function merge(
  before: readonly unknown[],
  conditions: readonly Condition[],
  now: string,
): readonly JsonObject[] {
  const known = conditions.map(({ type }) => type);
  const others = before.filter((each) => !known.includes(memberText(each, 'type')));
  const changed = conditions.map(({ type, isTrue, message }) => {
    const status = isTrue ? 'True' : 'False';
    const old = before.find((each) => memberText(each, 'type') === type);
    const isSame = old !== undefined && memberText(old, 'status') === status;
    return {
      lastTransitionTime: isSame ? memberText(old, 'lastTransitionTime') : now,
      message,
      reason: isTrue ? 'Succeeded' : 'Failed',
      status,
      type,
    };
  });
  return [...(others as readonly JsonObject[]), ...changed];
}
