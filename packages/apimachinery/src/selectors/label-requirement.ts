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
