/** A group with the name of a resource or a kind in it (apimachinery `schema.GroupResource` and `schema.GroupKind`). */
export interface GroupName {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The plural name of the resource, or the kind. */
  readonly name: string;
}

/** Formats a resource or a kind with its group as Go prints it: `pods`, `deployments.apps`. */
export function formatGroupName({ group, name }: GroupName): string {
  return group === '' ? name : `${name}.${group}`;
}
