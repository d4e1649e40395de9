import type { FieldError, JsonObject } from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import {
  field,
  listField,
  objectField,
  objectsField,
  saysSomething,
  stringField,
  textsField,
} from '../fields/fields.ts';
import type { PolicySetting } from './kind-scopes.ts';

/** Validates a rule that generates objects (`Generation.Validate`). */
export function validateGeneration(
  generate: JsonObject,
  path: string,
  setting: PolicySetting,
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
    ? validatePattern(generate, path, setting)
    : objectsField(generate, 'foreach').flatMap((loop, at) =>
        validatePattern(loop, `${path}.foreach[${at}]`, setting),
      );
}

function validatePattern(
  pattern: JsonObject,
  path: string,
  { isNamespaced, namespace, scopes }: PolicySetting,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const kind = stringField(pattern, 'kind');
  const target = stringField(pattern, 'namespace');
  const clone = objectField(pattern, 'clone') ?? {};
  const source = stringField(clone, 'namespace');
  const expected = (received: string): string => `expected: ${namespace}, received: ${received}`;
  const resource = `${stringField(pattern, 'apiVersion')}/${kind}`;
  const isClusterWide = scopes.isClusterWide(resource);
  const mismatch =
    isClusterWide === true
      ? `the target must be a namespaced resource: ${resource}`
      : target !== namespace
        ? `a namespaced policy cannot generate resources in other namespaces, ${expected(target)}`
        : stringField(clone, 'name') !== '' && source !== namespace
          ? `a namespaced policy cannot clone resources from other namespaces, ${expected(source)}`
          : undefined;
  if (isNamespaced && mismatch !== undefined) {
    errors.push(forbidden(`${path}.namespace`, `target resource scope mismatched: ${mismatch} `));
  }
  const misplaced = kind === '' ? undefined : misplacedText(target, isClusterWide);
  if (misplaced !== undefined) errors.push(forbidden(`${path}.namespace`, misplaced));
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
  errors.push(...cloneScopeErrors(kinds, from, `${path}.cloneList`, { isNamespaced, scopes }));
  return errors;
}

/** The problem of the namespace of a generated object, if the scope of its kind is known. */
function misplacedText(namespace: string, isClusterWide: boolean | undefined): string | undefined {
  if (isClusterWide === false && namespace === '') {
    return 'target namespace must be set for a namespaced resource';
  }
  return isClusterWide === true && namespace !== ''
    ? 'target namespace must not be set for a cluster-wide resource'
    : undefined;
}

/** Checks the scope of cloned kinds; those of custom resources are not known. */
function cloneScopeErrors(
  kinds: readonly string[],
  namespace: string,
  path: string,
  { isNamespaced, scopes }: Pick<PolicySetting, 'isNamespaced' | 'scopes'>,
): readonly FieldError[] {
  const found = kinds.map(scopes.isClusterWide);
  if (found.includes(undefined)) return [];
  const errors = kinds.flatMap((kind, at) =>
    isNamespaced && found[at] === true
      ? [
          forbidden(
            `${path}.kinds`,
            `the source in cloneList must be a namespaced resource: ${kind}`,
          ),
        ]
      : [],
  );
  if (new Set(found).size > 1) {
    errors.push(forbidden(`${path}.kinds`, 'mixed scope of target resources is forbidden'));
  }
  const isClusterWide = found.every((each) => each === true);
  if (!isClusterWide && namespace === '') {
    const detail = 'namespace is required for namespaced target resources';
    errors.push(forbidden(`${path}.namespace`, detail));
  }
  if (isClusterWide && !isNamespaced && namespace !== '') {
    const detail = 'namespace is forbidden for cluster-wide target resources';
    errors.push(forbidden(`${path}.namespace`, detail));
  }
  return errors;
}
