import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import { failureStatus } from '@kubeadmit/apimachinery/status';
import { kyvernoVerdict } from '@kubeadmit/chain/unstable-internal';
import type { AdmissionRequest } from '@kubeadmit/engine';

const changing: readonly string[] = ['CREATE', 'UPDATE'];
const groups: readonly string[] = ['kyverno.io', 'policies.kyverno.io'];

/** The answer to a request about an object of Kyverno. */
export interface KyvernoAnswer {
  readonly denial: Status | undefined;
  readonly warnings: readonly string[];
}

/**
 * Returns Kyverno's answer when one of its policies, exceptions or global context entries is created or updated;
 * `undefined` for all other requests.
 */
export function kyvernoObjectAnswer(
  { resource, subResource, operation = '', object, oldObject }: AdmissionRequest,
  clock: () => number,
): KyvernoAnswer | undefined {
  if (!groups.includes(resource?.group ?? '') || (subResource ?? '') !== '') return undefined;
  if (!changing.includes(operation) || object == null) return undefined;
  const old = (oldObject ?? undefined) as KubernetesObject | undefined;
  const verdict = kyvernoVerdict({ object: object as KubernetesObject, old, clock });
  if (verdict === undefined) return undefined;
  const { error, warnings } = verdict;
  return { warnings, denial: error === '' ? undefined : failureStatus(403, error) };
}
