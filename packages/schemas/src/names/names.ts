/** A kind of one API version, such as `apps/v1 Deployment`; the core group is empty. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource of one API version, such as `apps/v1 deployments`. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What discovery tells about a resource. */
export interface Resource extends GroupVersionResource, GroupVersionKind {
  readonly namespaced: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** The definition that made the resource known; absent for built-in ones. */
  readonly definition?: string;
}

/** A subresource with the kind of the object in its requests. */
export interface Subresource extends GroupVersionKind {
  readonly name: string;
  readonly verbs: readonly string[];
  /** True where every verb is the HTTP method of a CONNECT. */
  readonly connect: boolean;
}

/** The kind of an object by its `apiVersion` and `kind`, or undefined when they are no names. */
export function kindOfObject(object: unknown): GroupVersionKind | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const { apiVersion, kind } = object as { apiVersion?: unknown; kind?: unknown };
  if (typeof kind !== 'string' || kind === '') return undefined;
  const named = apiVersion ?? '';
  if (typeof named !== 'string') return undefined;
  const gv = parseGroupVersion(named);
  return gv && { group: gv.group, version: gv.version, kind };
}

/** Group and version of an `apiVersion`; undefined with more than one slash (apimachinery, `ParseGroupVersion`). */
export function parseGroupVersion(
  apiVersion: string,
): { readonly group: string; readonly version: string } | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The `apiVersion` of a group and a version. */
export function formatGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
