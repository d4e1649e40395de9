import { type FieldError, isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { field, objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import { writeTyped } from './read-policy.ts';

/** Validates an item of `verifyImages` (`ImageVerification.Validate`). */
export function validateImages(
  item: JsonObject,
  path: string,
  isAudit: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const written = (): unknown => writeTyped(item, 'v1.ImageVerification');
  if (isAudit && field(item, 'mutateDigest') === true) {
    const detail = 'mutateDigest must be set to false for ‘Audit’ failure action';
    errors.push(invalid(`${path}.mutateDigest`, true, detail));
  }
  const images = [...textsField(item, 'imageReferences'), stringField(item, 'image')];
  if (images.every((image) => image === '')) {
    errors.push(invalid(path, written(), 'An image reference is required'));
  }
  for (const [at, attestation] of objectsField(item, 'attestations').entries()) {
    errors.push(...validateSets(attestation, `${path}.attestations[${at}].attestors`));
  }
  errors.push(...validateSets(item, `${path}.attestors`));
  if (stringField(item, 'type') !== 'Notary') return errors;
  for (const attestor of objectsField(item, 'attestors').flatMap((set) =>
    objectsField(set, 'entries'),
  )) {
    for (const [name, shown] of [
      ['keyless', 'Keyless'],
      ['keys', 'Keys'],
    ] as const) {
      if (field(attestor, name) === undefined) continue;
      const detail = `${shown} field is not allowed for type notary`;
      errors.push(invalid(`${path}.attestors`, written(), detail));
    }
  }
  return errors;
}

function validateSets(owner: JsonObject, path: string): readonly FieldError[] {
  return objectsField(owner, 'attestors').flatMap((set, at) => validateSet(set, `${path}[${at}]`));
}

function validateSet(set: JsonObject, path: string): readonly FieldError[] {
  const entries = objectsField(set, 'entries');
  const count = field(set, 'count');
  const errors: FieldError[] = [];
  const written = (): unknown => writeTyped(set, 'v1.AttestorSet');
  if (typeof count === 'number' && count > entries.length) {
    errors.push(invalid(path, written(), 'Count cannot exceed length of entries'));
  }
  if (entries.length === 0) errors.push(invalid(path, written(), 'An entry is required'));
  return [
    ...errors,
    ...entries.flatMap((entry, at) => validateAttestor(entry, `${path}.entries[${at}]`)),
  ];
}

const algorithms = ['', 'sha224', 'sha256', 'sha384', 'sha512'];

function validateAttestor(attestor: JsonObject, path: string): readonly FieldError[] {
  const names = ['keys', 'certificates', 'keyless', 'attestor'];
  const given = names.filter((name) => field(attestor, name) !== undefined);
  const errors: FieldError[] = [];
  if (given.length !== 1) {
    const detail = 'keys, certificates, keyless, or a nested attestor is required';
    errors.push(invalid(path, writeTyped(attestor, 'v1.Attestor'), detail));
  }
  const keys = objectField(attestor, 'keys');
  if (keys !== undefined) errors.push(...validateKeys(keys, `${path}.keys`));
  const certificates = objectField(attestor, 'certificates');
  if (
    certificates !== undefined &&
    stringField(certificates, 'cert') === '' &&
    stringField(certificates, 'certChain') === ''
  ) {
    const written = writeTyped(certificates, 'v1.CertificateAttestor');
    errors.push(invalid(`${path}.certificates`, written, 'cert or certChain required'));
  }
  const keyless = objectField(attestor, 'keyless');
  if (keyless !== undefined) errors.push(...validateKeyless(keyless, `${path}.keyless`));
  const nested = field(attestor, 'attestor');
  return isObject(nested) ? [...errors, ...validateSet(nested, `${path}.attestor`)] : errors;
}

function validateKeys(keys: JsonObject, path: string): readonly FieldError[] {
  const written = (): unknown => writeTyped(keys, 'v1.StaticKeyAttestor');
  const publicKeys = stringField(keys, 'publicKeys');
  const errors: FieldError[] = [];
  if (publicKeys === '' && stringField(keys, 'kms') === '' && field(keys, 'secret') === undefined) {
    errors.push(invalid(path, written(), 'A public key, kms key or secret is required'));
  }
  if (publicKeys !== '' && !algorithms.includes(stringField(keys, 'signatureAlgorithm'))) {
    errors.push(invalid(path, written(), 'Invalid signature algorithm provided'));
  }
  return errors;
}

function validateKeyless(keyless: JsonObject, path: string): readonly FieldError[] {
  const written = (): unknown => writeTyped(keyless, 'v1.KeylessAttestor');
  const rekor = objectField(keyless, 'rekor');
  const errors: FieldError[] = [];
  if (rekor === undefined && stringField(keyless, 'roots') === '') {
    errors.push(invalid(path, written(), 'Either Rekor URL or roots are required'));
  }
  if (rekor !== undefined && stringField(rekor, 'url') === '') {
    errors.push(invalid(path, written(), 'An URL is required'));
  }
  return errors;
}
