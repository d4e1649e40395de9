import type {
  GroupVersionKind,
  GroupVersionResource,
  KubernetesObject,
} from '@kubeadmit/apimachinery';
import type { Operation } from '../policy/model.ts';

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
