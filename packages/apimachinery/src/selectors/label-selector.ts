/** One requirement of a label selector (meta/v1 LabelSelectorRequirement). */
export interface LabelSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

/** A selection of objects by their labels (meta/v1 LabelSelector); an empty one selects all. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | null;
}
