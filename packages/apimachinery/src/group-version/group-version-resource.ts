/** A resource of an API group, whatever its version (apimachinery `schema.GroupResource`). */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A resource of one API version, such as `apps/v1 deployments` (apimachinery `schema.GroupVersionResource`). */
export interface GroupVersionResource extends GroupResource {
  readonly version: string;
}

/** Formats a resource with its version as Go prints it: `apps/v1, Resource=deployments`. */
export function formatGroupVersionResource({
  group,
  version,
  resource,
}: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** Formats a resource with its group as Go prints it: `pods`, `deployments.apps`. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Parses a resource with its group, divided by the first dot (apimachinery `schema.ParseGroupResource`). */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  if (dot < 0) return { group: '', resource: text };
  return { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** Whether two resources are the same, their versions included. */
export function sameResource(left: GroupVersionResource, right: GroupVersionResource): boolean {
  return (
    left.resource === right.resource && left.version === right.version && left.group === right.group
  );
}
