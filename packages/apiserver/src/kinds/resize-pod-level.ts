import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import type { FieldError } from '@kubeadmit/apimachinery';
import { memberObject } from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import { isPlainObject } from '@kubeadmit/base';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import type { Members } from './internal-json.ts';
import { isAnyRemoved, parts, withOldAmounts } from './resize-amounts.ts';

/** The errors about resources of the pod itself, and whether the server stops there. */
interface PodLevelErrors {
  readonly errors: readonly FieldError[];
  readonly isLast: boolean;
}

/** Validates changes of the resources of the pod itself (core validation `validatePodLevelResourcesResize`). */
export function podLevelResizeErrors(
  schemas: Schemas,
  spec: Members,
  before: Members,
): PodLevelErrors {
  if (![spec, before].some(hasResources)) return { errors: [], isLast: false };
  if (!isFeatureOn('InPlacePodLevelResourcesVerticalScaling', schemas.minor)) {
    const why =
      'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
    return { errors: [forbidden('[]', why)], isLast: true };
  }
  return { errors: changeErrors(schemas, spec, before), isLast: false };
}

function hasResources(spec: Members): boolean {
  return parts.some((part) => Object.keys(memberObject(spec['resources'], part)).length > 0);
}

function changeErrors(schemas: Schemas, spec: Members, before: Members): readonly FieldError[] {
  if (isPlainObject(before['resources']) && !isPlainObject(spec['resources'])) {
    return [forbidden('spec.resources', 'pod-level resources cannot be removed')];
  }
  const [now, then] = [memberObject(spec, 'resources'), memberObject(before, 'resources')];
  const removed = parts
    .filter((part) => isAnyRemoved(now, then, part))
    .map((part) =>
      forbidden(`spec.resources.${part}`, `pod-level resource ${part} cannot be removed`),
    );
  const masked = maskedPodLevel(spec, before) ?? {};
  if (isSameStruct(schemas, 'core.v1.ResourceRequirements', masked, then)) return removed;
  return [...removed, forbidden('spec', 'only cpu and memory resources are mutable at pod-level')];
}

/** The resources of the pod itself with the old CPU and memory; undefined if the pod had none and sets no others. */
export function maskedPodLevel(spec: Members, before: Members): Members | undefined {
  if (!isPlainObject(spec['resources'])) return undefined;
  const all = withOldAmounts(spec['resources'], memberObject(before, 'resources'));
  const isEmpty = Object.values(all).every((each) => Object.keys(each as object).length === 0);
  return isEmpty && !isPlainObject(before['resources']) ? undefined : all;
}
