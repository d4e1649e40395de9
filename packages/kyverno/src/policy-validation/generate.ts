import type { FieldError, JsonObject } from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/internal';
import {
  field,
  listField,
  objectField,
  objectsField,
  saysSomething,
  stringField,
  textsField,
} from '../fields/fields.ts';

/**
 * Validates a rule that generates objects, without knowing which kinds are cluster-wide (`Generation.Validate`).
 */
export function validateGeneration(
  generate: JsonObject,
  path: string,
  isNamespaced: boolean,
  namespace: string,
): readonly FieldError[] {
  const cloneList = objectField(generate, 'cloneList') ?? {};
  const loops = field(generate, 'foreach');
  const count = [
    field(generate, 'data') !== undefined,
    saysSomething(objectField(generate, 'clone')),
    field(cloneList, 'kinds') !== undefined,
    loops !== undefined,
  ].filter(Boolean).length;
  if (count > 1) {
    const detail =
      'only one of generate patterns(data, clone, cloneList and foreach) can be specified';
    return [forbidden(path, detail)];
  }
  return loops === undefined
    ? validatePattern(generate, path, isNamespaced, namespace)
    : objectsField(generate, 'foreach').flatMap((loop, at) =>
        validatePattern(loop, `${path}.foreach[${at}]`, isNamespaced, namespace),
      );
}

function validatePattern(
  pattern: JsonObject,
  path: string,
  isNamespaced: boolean,
  namespace: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const kind = stringField(pattern, 'kind');
  const target = stringField(pattern, 'namespace');
  const clone = objectField(pattern, 'clone') ?? {};
  const source = stringField(clone, 'namespace');
  const expected = (received: string): string => `expected: ${namespace}, received: ${received}`;
  const mismatch =
    target !== namespace
      ? `a namespaced policy cannot generate resources in other namespaces, ${expected(target)}`
      : stringField(clone, 'name') !== '' && source !== namespace
        ? `a namespaced policy cannot clone resources from other namespaces, ${expected(source)}`
        : undefined;
  if (isNamespaced && mismatch !== undefined) {
    errors.push(forbidden(`${path}.namespace`, `target resource scope mismatched: ${mismatch} `));
  }
  if (kind !== '' && target === '') {
    const detail = 'target namespace must be set for a namespaced resource';
    errors.push(forbidden(`${path}.namespace`, detail));
  }
  const cloneList = objectField(pattern, 'cloneList') ?? {};
  const kinds = textsField(cloneList, 'kinds');
  if (listField(cloneList, 'kinds').length === 0) {
    for (const name of ['kind', 'name', 'apiVersion']) {
      if (stringField(pattern, name) !== '') continue;
      errors.push(forbidden(`${path}.${name}`, `${name} can not be empty`));
    }
    return errors;
  }
  const from = stringField(cloneList, 'namespace');
  const place = `${path}.cloneList.namespace`;
  if (isNamespaced && from !== namespace) {
    const detail = `a namespaced policy cannot clone resources from other namespace, ${expected(from)}`;
    for (const _kind of kinds) errors.push(forbidden(place, detail));
  }
  if (from === '') {
    errors.push(forbidden(place, 'namespace is required for namespaced target resources'));
  }
  return errors;
}
