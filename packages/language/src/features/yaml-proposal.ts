/** What can be written at a place of YAML. */
export interface YamlProposal {
  readonly label: string;
  readonly detail?: string;
  readonly words?: string | undefined;
  readonly kind: number;
  readonly insert?: string;
  readonly rank?: number;
}
