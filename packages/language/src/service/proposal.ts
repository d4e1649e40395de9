/** A completion before it has a range. */
export interface Proposal {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  readonly words?: string | undefined;
  /** The inserted text (default: the label). */
  readonly insert?: string;
  /** Whether the text has placeholders: `$1`. */
  readonly isSnippet?: boolean;
  /** The sort rank (default: 1). */
  readonly rank?: number;
}
