import { type KubernetesObject, type LabelRequirement, labelsOf } from '@kubeadmit/apimachinery';
import type { FieldRequirement } from '@kubeadmit/apimachinery/internal';

/** What a list or watch selects. */
export interface Selection {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  /** The fields of an object that selectors may name. */
  readonly fieldsOf: (object: KubernetesObject) => Readonly<Record<string, string>>;
}

/** Whether a selection selects all. */
export function selectsAll({ labels, fields }: Selection): boolean {
  return labels.length === 0 && fields.length === 0;
}

/** Whether an object is selected (apimachinery labels and fields). */
export function selects(
  { labels, fields, fieldsOf }: Selection,
  object: KubernetesObject,
): boolean {
  if (labels.length > 0) {
    const own = labelsOf(object);
    if (!labels.every((requirement) => fulfils(requirement, own))) return false;
  }
  if (fields.length === 0) return true;
  const values = fieldsOf(object);
  return fields.every(({ field, operator, value }) => {
    const actual = Object.hasOwn(values, field) ? values[field] : '';
    return (actual === value) === (operator === '=');
  });
}

function fulfils(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      return value !== undefined && isBeyond(value, operator, values[0] ?? '');
    default:
      return value !== undefined && values.includes(value);
  }
}

function isBeyond(value: string, operator: 'gt' | 'lt', limit: string): boolean {
  if (!/^[+-]?\d+$/.test(value)) return false;
  const difference = BigInt(value) - BigInt(limit);
  return operator === 'gt' ? difference > 0n : difference < 0n;
}
