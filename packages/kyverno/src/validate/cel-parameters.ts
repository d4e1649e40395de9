import { groupVersionKindOf, type JsonObject } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { metadataText, objectField, stringField } from '../fields/fields.ts';
import { selectsKind } from '../match/kind.ts';
import { compileSelector, isSelected } from '../match/selector.ts';
import { labelsOf, objectKindOf } from '../match/subject.ts';
import type { PolicyRequest } from '../rule/request.ts';

/** Whether a rule with `validate.cel` takes parameters. */
export function hasParameters(cel: JsonObject): boolean {
  return objectField(cel, 'paramKind') !== undefined && objectField(cel, 'paramRef') !== undefined;
}

/**
 * Returns the parameters of a rule, a single null for a rule without parameters, or the error text of a missing one
 * (Kyverno's `CollectParams`).
 *
 * A kind counts as namespaced unless one of its objects has no namespace. Policies of a namespace only get parameters
 * of that namespace, as from all other sources; Kyverno gives them those of every namespace.
 */
export function celParameters(
  { object, oldObject, request, sources, policyNamespace }: PolicyRequest,
  cel: JsonObject,
): readonly (JsonObject | null)[] | string {
  if (!hasParameters(cel)) return [null];
  const objects = request.existing ?? sources.parameters?.();
  if (objects === undefined) return 'parameters need objects of the cluster';
  const kind = objectField(cel, 'paramKind') ?? {};
  const reference = objectField(cel, 'paramRef') ?? {};
  const wanted = groupVersionKindOf(stringField(kind, 'apiVersion'), stringField(kind, 'kind'));
  const ofKind = objects.filter((one) =>
    selectsKind({ ...wanted, subresource: '' }, objectKindOf(one), ''),
  );
  const isNamespaced = ofKind.every((one) => metadataText(one, 'namespace') !== '');
  const written = stringField(reference, 'namespace');
  if (!isNamespaced && written !== '') {
    return 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
  }
  const own = metadataText(object ?? oldObject ?? {}, 'namespace');
  const namespace = isNamespaced ? written || own : '';
  if (isNamespaced && namespace === '') {
    return "can't use namespaced paramRef to match cluster-scoped resources";
  }
  const found = ofKind.filter((one) => metadataText(one, 'namespace') === namespace);
  const isForeign = policyNamespace !== '' && namespace !== policyNamespace;
  if (isForeign && request.existing === undefined) {
    return `paramRef namespace ${quote(namespace)} is different from policy namespace ${quote(policyNamespace)}`;
  }
  const name = stringField(reference, 'name');
  if (name !== '') {
    const named = found.find((one) => metadataText(one, 'name') === name);
    return named === undefined ? `${wanted.kind} "${name}" not found` : [named];
  }
  const selector = objectField(reference, 'selector');
  const compiled = selector && compileSelector(selector);
  const selected = found.filter((one) => compiled && isSelected(compiled, labelsOf(one)));
  return selected.length === 0 && stringField(reference, 'parameterNotFoundAction') === 'Deny'
    ? 'no params found'
    : selected;
}
