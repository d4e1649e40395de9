import { byteLength, compareText, formatJson } from '@kubeadmit/go';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../errors/field-error.ts';
import { qualifiedNameProblems } from '../names/label-name.ts';
import { type NameRule, nameProblems } from '../names/name-rule.ts';
import { validateLabels } from '../selectors/validate-label-selector.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts';

const annotationsLimit = 256 * 1024;

/** The rules of a kind for the metadata of its objects. */
export interface ObjectMetaRules {
  readonly nameRule: NameRule;
  /** Whether objects of the kind are in namespaces. */
  readonly namespaced: boolean;
}

/** Validates the metadata of a new object (apimachinery `api/validation.ValidateObjectMeta`). */
export function validateObjectMeta(
  meta: ObjectMeta,
  { nameRule, namespaced }: ObjectMetaRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const { generateName = '', name = '', namespace = '' } = meta;
  if (generateName !== '') {
    for (const problem of nameProblems(generateName, nameRule, 'prefix')) {
      errors.push(invalid('metadata.generateName', generateName, problem));
    }
  }
  if (name === '') {
    errors.push(required('metadata.name', 'name or generateName is required'));
  } else {
    for (const problem of nameProblems(name, nameRule)) {
      errors.push(invalid('metadata.name', name, problem));
    }
  }
  errors.push(...validateNamespace(namespace, namespaced));
  return [...errors, ...validateCommonMeta(meta)];
}

function validateNamespace(namespace: string, namespaced: boolean): FieldError[] {
  if (namespaced && namespace === '') return [required('metadata.namespace')];
  if (namespaced) {
    return nameProblems(namespace, 'dns1123Label').map((problem) =>
      invalid('metadata.namespace', namespace, problem),
    );
  }
  return namespace === '' ? [] : [forbidden('metadata.namespace', 'not allowed on this type')];
}

/** Validates the metadata of an updated object (apimachinery `api/validation.ValidateObjectMetaUpdate`). */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) errors.push(...validateNoNewFinalizers(meta, old));
  if ((meta.resourceVersion ?? '') === '') {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  errors.push(...validateGeneration(meta));
  if (BigInt(meta.generation ?? 0) < BigInt(old.generation ?? 0)) {
    errors.push(
      invalid('metadata.generation', Number(meta.generation ?? 0), 'must not be decremented'),
    );
  }
  for (const key of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    const empty = key === 'creationTimestamp' || key.startsWith('deletion') ? null : '';
    const value = meta[key] ?? empty;
    if (value !== (old[key] ?? empty)) {
      errors.push(invalid(`metadata.${key}`, value, 'field is immutable'));
    }
  }
  errors.push(...validateLabelsAndAnnotations(meta));
  errors.push(...validateOwnerReferences(meta.ownerReferences ?? []));
  errors.push(...validateManagedFields(meta.managedFields ?? []));
  return errors;
}

function validateNoNewFinalizers(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const known = new Set(old.finalizers ?? []);
  const added = [...new Set(meta.finalizers ?? [])]
    .filter((name) => !known.has(name))
    .sort(compareText);
  if (added.length === 0) return [];
  const listed = added.map((name) => formatJson(name)).join(', ');
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
    ),
  ];
}

function validateCommonMeta(meta: ObjectMeta): FieldError[] {
  return [
    ...validateGeneration(meta),
    ...validateLabelsAndAnnotations(meta),
    ...validateOwnerReferences(meta.ownerReferences ?? []),
    ...validateFinalizers(meta.finalizers ?? []),
    ...validateManagedFields(meta.managedFields ?? []),
  ];
}

function validateGeneration(meta: ObjectMeta): FieldError[] {
  if (BigInt(meta.generation ?? 0) >= 0n) return [];
  return [
    invalid('metadata.generation', Number(meta.generation), 'must be greater than or equal to 0'),
  ];
}

function validateLabelsAndAnnotations(meta: ObjectMeta): FieldError[] {
  const errors = validateLabels(meta.labels ?? {}, 'metadata.labels');
  const annotations = meta.annotations ?? {};
  let size = 0;
  for (const key of Object.keys(annotations).sort(compareText)) {
    size += byteLength(key) + byteLength(annotations[key] ?? '');
    for (const text of qualifiedNameProblems(key.toLowerCase())) {
      errors.push(invalid('metadata.annotations', key, text));
    }
  }
  if (size > annotationsLimit) errors.push(tooLong('metadata.annotations', annotationsLimit));
  return errors;
}

function validateOwnerReferences(references: readonly OwnerReference[]): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const [i, reference] of references.entries()) {
    const path = `metadata.ownerReferences[${i}]`;
    const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
    const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
    if (apiVersion === '') {
      errors.push(required(`${path}.apiVersion`, 'must not be empty'));
    } else if (parts.length > 2 || parts[parts.length - 1] === '') {
      const text = 'must be <group>/<version> or <version>';
      errors.push(invalid(`${path}.apiVersion`, apiVersion, text));
    }
    if (kind === '') errors.push(required(`${path}.kind`, 'must not be empty'));
    if (name === '') errors.push(required(`${path}.name`, 'must not be empty'));
    if (uid === '') errors.push(required(`${path}.uid`, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event') {
      const text = '/v1, Kind=Event is disallowed from being an owner';
      errors.push(invalid(path, ownerReferenceJson(reference), text));
    }
    if (reference.controller !== true) continue;
    if (controller === undefined) {
      controller = `${kind}/${name}`;
    } else {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`;
      errors.push(invalid('metadata.ownerReferences', references.map(ownerReferenceJson), text));
    }
  }
  return errors;
}

function ownerReferenceJson(reference: OwnerReference): object {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const optional: Record<string, boolean> = {};
  if (typeof reference.controller === 'boolean') optional['controller'] = reference.controller;
  if (typeof reference.blockOwnerDeletion === 'boolean') {
    optional['blockOwnerDeletion'] = reference.blockOwnerDeletion;
  }
  return { apiVersion, kind, name, uid, ...optional };
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of finalizers) {
    for (const text of qualifiedNameProblems(name)) {
      errors.push(invalid('metadata.finalizers', name, text));
    }
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const text = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid('metadata.finalizers', finalizers, text));
  }
  return errors;
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, entry] of entries.entries()) {
    const path = `metadata.managedFields[${i}]`;
    const operation = entry.operation ?? '';
    if (operation === '') {
      errors.push(required(`${path}.operation`, 'must not be empty'));
    } else if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(notSupported(`${path}.operation`, operation, ['Apply', 'Update']));
    }
    const fieldsType = entry.fieldsType ?? '';
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    if (byteLength(entry.manager ?? '') > 128) errors.push(tooLong(`${path}.manager`, 128));
    if (byteLength(entry.subresource ?? '') > 256) errors.push(tooLong(`${path}.subresource`, 256));
  }
  return errors;
}
