/** A resource of one API version, such as `apps/v1 deployments` (apimachinery `schema.GroupVersionResource`). */
export interface GroupVersionResource {
  /** Empty for the core group. */
  readonly group: string;
  /** Such as `v1`. */
  readonly version: string;
  /** Such as `deployments`. */
  readonly resource: string;
}

/** Formats a resource with its version as Go prints it: `apps/v1, Resource=deployments`. */
export function formatGroupVersionResource({
  group,
  version,
  resource,
}: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** Whether two resources are the same, their versions included. */
export function sameResource(left: GroupVersionResource, right: GroupVersionResource): boolean {
  return (
    left.resource === right.resource && left.version === right.version && left.group === right.group
  );
}
