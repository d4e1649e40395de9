/** A resource, or a subresource of one. */
export interface ResourceName {
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
}

/** Splits an entry of `resources` at its first slash: `pods/log`. */
export function splitEntry(entry: string): ResourceName {
  const slash = entry.indexOf('/');
  if (slash === -1) return { resource: entry, subresource: '' };
  return { resource: entry.slice(0, slash), subresource: entry.slice(slash + 1) };
}

/** Whether an entry names a resource or subresource: `pods/*` also names `pods` itself. */
export function namesResource(entry: string, { resource, subresource }: ResourceName): boolean {
  const named = splitEntry(entry);
  return (
    (named.resource === '*' || named.resource === resource) &&
    (named.subresource === '*' || named.subresource === subresource)
  );
}
