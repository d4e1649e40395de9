/** What a requirement asks of the label (apimachinery `selection.Operator`). */
export type LabelOperator = '!' | '!=' | '=' | '==' | 'exists' | 'gt' | 'in' | 'lt' | 'notin';

/** One requirement of a label selector that was written as text (apimachinery `labels.Requirement`). */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}
