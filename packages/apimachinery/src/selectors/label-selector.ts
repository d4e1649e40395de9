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
