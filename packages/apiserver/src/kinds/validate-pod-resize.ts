import { computeQosClass } from '@kubeadmit/admission/pod-resources';
import { memberAt } from '@kubeadmit/admission/writes';
import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import { isPlainObject } from '@kubeadmit/base';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { containerResizeErrors, maskedContainers, orderErrors } from './resize-containers.ts';
import { maskedPodLevel, podLevelResizeErrors } from './resize-pod-level.ts';

const lists = ['containers', 'initContainers'] as const;

/**
 * Returns the errors about changes other than of CPU and memory that a request to `resize` makes (core validation
 * `ValidatePodResize`).
 */
export function validatePodResize(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  if (Object.hasOwn(annotationsOf(old), 'kubernetes.io/config.mirror')) {
    return [forbidden('[]', 'static pods cannot be resized')];
  }
  if (memberAt(old, 'spec', 'os', 'name') === 'windows') {
    return [forbidden('[]', 'windows pods cannot be resized')];
  }
  const [spec, before] = [memberObject(pod, 'spec'), memberObject(old, 'spec')];
  const podLevel = podLevelResizeErrors(schemas, spec, before);
  const general = [
    ...qosErrors(pod, old, schemas),
    ...(isSupportedByNode(old)
      ? []
      : [forbidden('spec', 'Pod running on node without support for resize')]),
    ...podLevel.errors,
  ];
  if (podLevel.isLast) return general;
  const order = lists.flatMap((list) => orderErrors(list, spec, before));
  if (order.length > 0) return [...general, ...order];
  const errors = [...general, ...containerResizeErrors(schemas, spec, before)];
  if (errors.length > 0) return errors;
  const masked = { ...spec, resources: maskedPodLevel(spec, before) };
  for (const list of lists) {
    if (Object.hasOwn(masked, list))
      Object.assign(masked, { [list]: maskedContainers(list, spec, before) });
  }
  return isSameStruct(schemas, 'core.v1.PodSpec', masked, before)
    ? []
    : [forbidden('spec', 'only cpu and memory resources are mutable')];
}

function qosErrors(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  const minor = schemas.minor;
  const before = memberText(member(old, 'status'), 'qosClass') || computeQosClass(old, minor);
  if (before === computeQosClass(pod, minor)) return [];
  const given = memberText(member(pod, 'status'), 'qosClass');
  return [invalid('spec', given, 'Pod QOS Class may not change as a result of resizing')];
}

/** Whether the node reports resources of running containers, so that it supports to resize them. */
function isSupportedByNode(pod: KubernetesObject): boolean {
  const statuses = memberList(member(pod, 'status'), 'containerStatuses');
  const running = statuses.find((each) => isPlainObject(memberAt(each, 'state', 'running')));
  return running === undefined || isPlainObject(member(running, 'resources'));
}
