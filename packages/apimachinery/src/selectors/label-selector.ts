/** The operator of a requirement (apimachinery `selection.Operator`). */
export type LabelOperator = '!' | '!=' | '=' | '==' | 'exists' | 'gt' | 'in' | 'lt' | 'notin';

/** One requirement of a label selector that was written as text (apimachinery `labels.Requirement`). */
export interface LabelRequirement {
  /** The name of the label. */
  readonly key: string;
  /** How its value is compared. */
  readonly operator: LabelOperator;
  /** The values to compare with; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

/** One requirement of a label selector (meta/v1 LabelSelectorRequirement). */
export interface LabelSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

/** A selection of objects by their labels (meta/v1 LabelSelector); an empty one selects all. */
export interface LabelSelector {
  /** Labels and the values that they have to have. */
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  /** Further requirements, all of which have to hold. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | null;
}
