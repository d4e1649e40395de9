import {
  type FieldRequirement,
  type KubernetesObject,
  labelsOf,
  matchesFields,
  type Selector,
} from '@kubeadmit/apimachinery';

/** The selection of a list or watch. */
export interface Selection {
  readonly labels: Selector;
  readonly fields: readonly FieldRequirement[];
  /** The fields of an object that selectors may name. */
  readonly fieldsOf: (object: KubernetesObject) => Readonly<Record<string, string>>;
}

export function selectsAll({ labels, fields }: Selection): boolean {
  return labels.empty && fields.length === 0;
}

/** Whether an object is selected. */
export function selects(
  { labels, fields, fieldsOf }: Selection,
  object: KubernetesObject,
): boolean {
  if (!labels.empty && !labels.matches(labelsOf(object))) return false;
  return fields.length === 0 || matchesFields(fields, fieldsOf(object));
}
