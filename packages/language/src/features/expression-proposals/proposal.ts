/** What could stand at a place, before it has a range. */
export interface Proposal {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  readonly words?: string | undefined;
  readonly insert?: string;
  readonly isSnippet?: boolean;
  /** What comes first. */
  readonly rank: number;
}
