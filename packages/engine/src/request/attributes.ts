import type { Operation } from '../policy/model.ts';

/** A group, a version and the plural name of a resource. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A group, a version and a kind. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A Kubernetes object as JSON. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** Who makes a request (authentication.k8s.io/v1 UserInfo). */
export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[] | null;
  readonly extra?: Readonly<Record<string, readonly string[]>> | null;
}

/** An AdmissionRequest of `admission.k8s.io/v1`, as kube-apiserver sends it to webhooks. */
export interface AdmissionRequest {
  readonly uid?: string;
  readonly kind?: Partial<GroupVersionKind>;
  readonly resource?: Partial<GroupVersionResource>;
  readonly subResource?: string;
  readonly requestKind?: Partial<GroupVersionKind> | null;
  readonly requestResource?: Partial<GroupVersionResource> | null;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation?: string;
  readonly userInfo?: UserInfo;
  readonly object?: KubernetesObject | null;
  readonly oldObject?: KubernetesObject | null;
  readonly dryRun?: boolean | null;
  readonly options?: KubernetesObject | null;
}

/** A request as the admission plugins see it (apiserver admission.Attributes). */
export interface RequestAttributes {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  readonly operation: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  readonly options: KubernetesObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}

/** Whether an operation is one that policies see. */
export function isOperation(operation: string): operation is Operation {
  return (
    operation === 'CREATE' ||
    operation === 'UPDATE' ||
    operation === 'DELETE' ||
    operation === 'CONNECT'
  );
}

/** Reads a request; what was sent to the server wins over what it was converted to. */
export function readAttributes(request: AdmissionRequest): RequestAttributes {
  const kind = request.requestKind ?? request.kind ?? {};
  const resource = request.requestResource ?? request.resource ?? {};
  return {
    kind: { group: kind.group ?? '', version: kind.version ?? '', kind: kind.kind ?? '' },
    resource: {
      group: resource.group ?? '',
      version: resource.version ?? '',
      resource: resource.resource ?? '',
    },
    subresource: request.subResource ?? '',
    name: request.name ?? '',
    namespace: request.namespace ?? '',
    operation: request.operation ?? '',
    object: request.object ?? null,
    oldObject: request.oldObject ?? null,
    options: request.options ?? null,
    dryRun: request.dryRun ?? false,
    user: request.userInfo ?? {},
  };
}

/** The text of a group and version, as in `apiVersion`. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Splits an `apiVersion` into group and version. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The text of a kind as Go prints a GroupVersionKind: `apps/v1, Kind=Deployment`. */
export function kindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** The text of a resource as Go prints a GroupVersionResource: `apps/v1, Resource=deployments`. */
export function resourceText({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** Whether two kinds are the same. */
export function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

/** Whether two resources are the same. */
export function sameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.version === b.version && a.group === b.group;
}

/** The kind Namespace of the core group, whose objects are in no namespace but have one named. */
export function isNamespaceKind({ group, version, kind }: GroupVersionKind): boolean {
  return group === '' && version === 'v1' && kind === 'Namespace';
}

/** The options of CONNECT requests, the only kinds of requests without metadata. */
export function hasNoMetadata({ group, kind }: GroupVersionKind): boolean {
  return (
    group === '' &&
    /^(Pod(Exec|Attach|PortForward|Proxy)|NodeProxy|ServiceProxy)Options$/.test(kind)
  );
}

/** A member of an object, read as its own property. */
export function member(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/** A text in the metadata of an object; empty when it is not there. */
export function metadataText(object: unknown, key: string): string {
  const value = member(member(object, 'metadata'), key);
  return typeof value === 'string' ? value : '';
}

/** The labels of an object; labels that are not all texts count as none. */
export function labelsOf(object: unknown): Readonly<Record<string, string>> {
  const labels = member(member(object, 'metadata'), 'labels');
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return {};
  const isText = (value: unknown): boolean => typeof value === 'string';
  return Object.values(labels).every(isText) ? (labels as Record<string, string>) : {};
}
