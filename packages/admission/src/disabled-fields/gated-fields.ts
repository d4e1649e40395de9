import type { FeatureGate } from '../versions/feature-gates.data.ts';

/** Fields that a server drops while their feature gate is off, unless the existing object uses the feature. */
export interface GatedFields {
  readonly gate: FeatureGate;
  /** The paths of the fields, as {@link withoutField} reads them. */
  readonly fields: readonly string[];
  /** The paths of the fields that show that an existing object uses the feature; default `fields`. */
  readonly usedBy?: readonly string[];
  /** The first minor version that drops the fields; default every version. */
  readonly from?: number;
  /** Whether updates keep the fields; default false. */
  readonly onlyOnCreate?: boolean;
}

/** Returns the paths of a field in the containers of all types. */
export function inContainers(...fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => containerLists.map((list) => `${list}[].${field}`));
}

/** The lists of containers of a pod. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Returns the paths of fields below another field. */
export function below(path: string, fields: readonly string[]): readonly string[] {
  return fields.map((field) => `${path}.${field}`);
}
