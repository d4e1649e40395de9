import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import { quote } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { internalJson } from './internal-json.ts';
import { unifiedDiff } from './unified-diff.ts';
import { validatePodAnnotations } from './validate-pod-change.ts';

const container = 'core.v1.EphemeralContainer';

/**
 * Returns the errors about ephemeral containers that were removed or changed (core validation
 * `ValidatePodEphemeralContainersUpdate`).
 */
export function validateEphemeralContainers(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  if (Object.hasOwn(annotationsOf(old), 'kubernetes.io/config.mirror')) {
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const [now, before] = [pod, old].map((each) =>
    memberList(member(each, 'spec'), 'ephemeralContainers'),
  ) as [readonly object[], readonly object[]];
  const byName = new Map(now.map((each) => [memberText(each, 'name'), each]));
  const errors = before.flatMap((then): readonly FieldError[] => {
    const name = memberText(then, 'name');
    const kept = byName.get(name);
    if (kept === undefined) return [refusal(name, 'removed', '')];
    if (isSameStruct(schemas, container, kept, then)) return [];
    const texts = [then, kept].map((each) => internalJson(schemas, container, each));
    return [refusal(name, 'changed', unifiedDiff(...(texts as [string, string])))];
  });
  return [...validatePodAnnotations(pod, old), ...errors];
}

function refusal(name: string, verb: string, difference: string): FieldError {
  const text = `existing ephemeral containers ${quote(name)} may not be ${verb}\n${difference}`;
  return forbidden('spec.ephemeralContainers', text);
}
