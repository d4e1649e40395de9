import { memberAt } from '@kubeadmit/admission/writes';
import { type FieldError, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import { deepEqual } from '@kubeadmit/go';
import { isEstablished } from '../definitions/conditions.ts';
import type { Endpoint } from './endpoint.ts';

/** Returns kube-apiserver's errors about changed immutable fields, for the kinds that people write by hand. */
export function immutableErrors(
  object: KubernetesObject,
  old: KubernetesObject,
  { kind: { group, kind } }: Endpoint,
): readonly FieldError[] {
  if (group === 'rbac.authorization.k8s.io') return roleRefErrors(object, old);
  if (group !== '') return [];
  if (kind === 'ConfigMap') return frozenErrors(object, old, ['data', 'binaryData']);
  if (kind !== 'Secret') return [];
  const hasSameType = member(object, 'type') === member(old, 'type');
  const type = hasSameType ? [] : [invalid('type', member(object, 'type'), 'field is immutable')];
  return [...type, ...frozenErrors(object, old, ['data'])];
}

/** core validation `ValidateConfigMapUpdate` and `ValidateSecretUpdate` */
function frozenErrors(
  object: KubernetesObject,
  old: KubernetesObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (member(old, 'immutable') !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const isThawed = member(object, 'immutable') !== true;
  const changed = fields.filter(
    (field) => !deepEqual(member(object, field) ?? {}, member(old, field) ?? {}),
  );
  return [...(isThawed ? ['immutable'] : []), ...changed].map((field) => forbidden(field, detail));
}

/** rbac validation `ValidateRoleBindingUpdate`, which shows the fields as Go names them */
function roleRefErrors(object: KubernetesObject, old: KubernetesObject): readonly FieldError[] {
  const [before, now] = [old, object].map((each) => {
    const reference = member(each, 'roleRef');
    return {
      APIGroup: member(reference, 'apiGroup') ?? '',
      Kind: member(reference, 'kind') ?? '',
      Name: member(reference, 'name') ?? '',
    };
  });
  return deepEqual(before, now) ? [] : [invalid('roleRef', now, 'field is immutable')];
}

/**
 * Returns the errors about changed immutable fields of a definition: its group, and its scope and names once it is
 * established (apiextensions validation `ValidateCustomResourceDefinitionUpdate`).
 */
export function definitionChangeErrors(
  object: KubernetesObject,
  old: KubernetesObject,
): readonly FieldError[] {
  const paths = [
    ...(isEstablished(old) ? ['spec.scope', 'spec.names.kind'] : []),
    'spec.group',
    'spec.names.plural',
  ];
  return paths.flatMap((path) => {
    const [before, now] = [old, object].map((each) => memberAt(each, ...path.split('.')));
    return deepEqual(before, now) ? [] : [invalid(path, now, 'field is immutable')];
  });
}
