import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { FeatureGate } from '../versions/feature-gates.data.ts';
import { hasField, withoutField } from './field-path.ts';
import type { GatedFields } from './gated-fields.ts';

/** A change that a server makes while a feature gate is off, unless the existing object uses the feature. */
export interface GatedChange {
  readonly gate: FeatureGate;
  /** The first minor version that makes the change; default every version. */
  readonly from?: number | undefined;
  /** Whether an existing object uses the feature. */
  readonly isUsed: (old: KubernetesObject) => boolean;
  readonly change: (object: KubernetesObject) => KubernetesObject;
}

/** Returns the change that removes gated fields. */
export function removalOf(gated: GatedFields): GatedChange {
  const { gate, from, fields, usedBy = fields, onlyOnCreate = false } = gated;
  return {
    gate,
    from,
    isUsed: (old) => onlyOnCreate || usedBy.some((path) => hasField(old, path)),
    change: (object) => fields.reduce<unknown>(withoutField, object) as KubernetesObject,
  };
}
