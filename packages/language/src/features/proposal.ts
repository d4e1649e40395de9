/** What could stand at a place, before it has a range. */
export interface Proposal {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  readonly words?: string | undefined;
  /** What is written; default the label. */
  readonly insert?: string;
  /** Whether what is written has places to fill in: `$1`. */
  readonly isSnippet?: boolean;
  /** What comes first; default 1. */
  readonly rank?: number;
}
