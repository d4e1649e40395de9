import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { memberAt } from '@kubeadmit/admission/writes';
import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
  memberObject,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import { compareQuantities, type Quantity, quantityOf } from '@kubeadmit/apimachinery/quantity';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { internalJson, type Members } from './internal-json.ts';
import { unifiedDiff } from './unified-diff.ts';

const claimSpec = 'core.v1.PersistentVolumeClaimSpec';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Returns the errors about changes of a claim (core validation `ValidatePersistentVolumeClaimUpdate`). */
export function validateClaimChange(
  claim: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  const [spec, before] = [claim, old].map((each) => memberObject(each, 'spec')) as [
    Members,
    Members,
  ];
  const isMoved = isMovedClass(claim, old);
  return [
    ...(isMoved ? [] : annotationErrors(claim, old)),
    ...specErrors(
      schemas,
      withChangeableFields(claim, old, isMoved),
      // The controller names the volume once.
      before['volumeName'] ? before : { ...before, volumeName: spec['volumeName'] },
    ),
    ...sizeErrors(claim, old, schemas.minor),
    ...modeErrors(spec, before),
    ...attributeErrors(spec, old, schemas.minor),
  ];
}

/** Whether the class of the annotation is named in the spec now (`validateStorageClassUpgradeFromAnnotation`). */
function isMovedClass(claim: KubernetesObject, old: KubernetesObject): boolean {
  const [now, then] = [claim, old].map((each) => annotationsOf(each)[classAnnotation]);
  const [name, before] = [claim, old].map((each) => memberAt(each, 'spec', 'storageClassName'));
  const isNew = (before ?? null) === null && (name ?? null) !== null;
  return then !== undefined && isNew && name === then && (now === undefined || now === then);
}

function annotationErrors(claim: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now = '', then = ''] = [claim, old].map((each) => annotationsOf(each)[classAnnotation]);
  if (now === then) return [];
  return [invalid(`metadata.annotations.${classAnnotation}`, now, 'field is immutable')];
}

/** The spec with the fields that may change as they were. */
function withChangeableFields(
  claim: KubernetesObject,
  old: KubernetesObject,
  isMoved: boolean,
): Members {
  const [spec, before] = [memberObject(claim, 'spec'), memberObject(old, 'spec')];
  const isUnset = (before['storageClassName'] ?? null) === null;
  const annotation = annotationsOf(old)[classAnnotation];
  const isSet = isUnset && (annotation === undefined || annotation === spec['storageClassName']);
  const unbound = {
    ...spec,
    ...(isMoved ? { storageClassName: undefined } : {}),
    ...(!isMoved && isSet ? { storageClassName: before['storageClassName'] } : {}),
  };
  if (memberAt(claim, 'status', 'phase') !== 'Bound') return unbound;
  const resources = memberObject(spec, 'resources');
  const requests = resources['requests'];
  const storage = memberAt(before, 'resources', 'requests', 'storage');
  return {
    ...unbound,
    volumeAttributesClassName: before['volumeAttributesClassName'],
    ...(requests === undefined
      ? {}
      : { resources: { ...resources, requests: { ...(requests as object), storage } } }),
  };
}

function specErrors(schemas: Schemas, spec: Members, before: Members): FieldError[] {
  if (isSameStruct(schemas, claimSpec, spec, before)) return [];
  const [old, now] = [before, spec].map((each) => internalJson(schemas, claimSpec, each)) as [
    string,
    string,
  ];
  const what =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbidden('spec', `${what}\n${unifiedDiff(old, now)}`)];
}

// A claim may shrink while it stays larger than its volume, so that users can undo a failed expansion.
function sizeErrors(claim: KubernetesObject, old: KubernetesObject, minor: number): FieldError[] {
  const amount = (each: KubernetesObject, ...path: string[]): Quantity | undefined =>
    quantityOf(String(memberAt(each, ...path) ?? '0'));
  const [now, then] = [claim, old].map((each) =>
    amount(each, 'spec', 'resources', 'requests', 'storage'),
  );
  const held = amount(old, 'status', 'capacity', 'storage');
  if (now === undefined || then === undefined || held === undefined) return [];
  if (compareQuantities(now, then) >= 0) return [];
  const mayShrink = isFeatureOn('RecoverVolumeExpansionFailure', minor);
  if (mayShrink && compareQuantities(now, held) > 0) return [];
  const least = mayShrink ? 'status.capacity' : 'previous value';
  return [forbidden('spec.resources.requests.storage', `field can not be less than ${least}`)];
}

function modeErrors(spec: Members, before: Members): FieldError[] {
  const [now, then] = [spec, before].map((each) => each['volumeMode'] ?? null);
  return now === then ? [] : [invalid('volumeMode', now, 'field is immutable')];
}

// A class of attributes stays once one was applied.
function attributeErrors(spec: Members, old: KubernetesObject, minor: number): FieldError[] {
  const field = 'volumeAttributesClassName';
  const now = spec[field] ?? null;
  const isSame = now === (member(member(old, 'spec'), field) ?? null);
  if (!isSame && !isFeatureOn('VolumeAttributesClass', minor)) {
    const why = 'update is forbidden when the VolumeAttributesClass feature gate is disabled';
    return [forbidden(`spec.${field}`, why)];
  }
  const isApplied = (memberAt(old, 'status', 'currentVolumeAttributesClassName') ?? null) !== null;
  if (isSame || !isApplied || (now !== null && now !== '')) return [];
  const to = now === null ? 'nil' : 'empty string';
  const why = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden(`spec.${field}`, why)];
}
