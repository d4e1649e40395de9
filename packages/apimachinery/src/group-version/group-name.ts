/** A group with the name of a resource or a kind in it (apimachinery `schema.GroupResource` and `schema.GroupKind`). */
export interface GroupName {
  readonly group: string;
  /** The plural name of the resource, or the kind. */
  readonly name: string;
}

/** Formats a resource or a kind with its group as Go prints it: `pods`, `deployments.apps`. */
export function formatGroupName({ group, name }: GroupName): string {
  return group === '' ? name : `${name}.${group}`;
}

/** Parses a resource or a kind with its group, divided by the first dot (apimachinery `schema.ParseGroupResource`). */
export function parseGroupName(text: string): GroupName {
  const dot = text.indexOf('.');
  if (dot < 0) return { group: '', name: text };
  return { group: text.slice(dot + 1), name: text.slice(0, dot) };
}
