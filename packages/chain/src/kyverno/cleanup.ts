import type { JsonObject } from '@kubeadmit/apimachinery';
import { cleansObject } from '@kubeadmit/kyverno/background';
import type { KyvernoPolicies } from '../readers/policies.ts';
import type { Response } from './response.ts';

/** The setting of {@link applyCleanup}. */
type CleanupSetting = Parameters<typeof cleansObject>[2] & {
  /** Whether policies that do not select the object respond, too, as in the Kyverno CLI. */
  readonly includesUnselected?: boolean;
};

/** Decides which cleanup policies would delete an object. */
export function applyCleanup(
  policies: KyvernoPolicies['cleanup'],
  object: JsonObject,
  { includesUnselected = false, ...setting }: CleanupSetting,
): readonly Response[] {
  return policies.flatMap(({ policy }) => {
    const { isSelected, status, message } = cleansObject(policy, object, setting);
    if (!isSelected && !includesUnselected) return [];
    const { name, kind, namespace } = policy;
    const results = [{ rule: name, type: 'Deletion' as const, status, message }];
    return [{ policy: name, kind, namespace, results, object }];
  });
}
