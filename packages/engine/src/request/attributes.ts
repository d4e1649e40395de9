import type {
  GroupVersionKind,
  GroupVersionResource,
  KubernetesObject,
} from '@kubeadmit/apimachinery';
import type { Operation } from '../policy/model.ts';

/** Who makes a request (authentication.k8s.io/v1 UserInfo). */
export interface UserInfo {
  /** Such as `jane` or `system:serviceaccount:shop:cart`. */
  readonly username?: string;
  /** Names the user beyond renaming. */
  readonly uid?: string;
  /** Such as `system:authenticated`. */
  readonly groups?: readonly string[] | null;
  /** Additional information from authentication, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | null;
}

/** An AdmissionRequest of `admission.k8s.io/v1`, as kube-apiserver sends it to webhooks. */
export interface AdmissionRequest {
  /** Names the request; the answer repeats it. */
  readonly uid?: string;
  /** The kind of the object, in the version of the rule that matched. */
  readonly kind?: Partial<GroupVersionKind>;
  /** The resource, in the version of the rule that matched. */
  readonly resource?: Partial<GroupVersionResource>;
  /** Such as `status` or `scale`; empty for the object itself. */
  readonly subResource?: string;
  /** The kind in the request of the client (default: `kind`). */
  readonly requestKind?: Partial<GroupVersionKind> | null;
  /** The resource in the request of the client (default: `resource`). */
  readonly requestResource?: Partial<GroupVersionResource> | null;
  /** The subresource in the request of the client. */
  readonly requestSubResource?: string;
  /** The name of the object; empty where the server will generate one. */
  readonly name?: string;
  /** The namespace of the object, or of the request; empty without one. */
  readonly namespace?: string;
  /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`. */
  readonly operation?: string;
  /** Who asks. */
  readonly userInfo?: UserInfo;
  /** The object as it will be; null for DELETE. */
  readonly object?: KubernetesObject | null;
  /** The stored object; null for CREATE and CONNECT. */
  readonly oldObject?: KubernetesObject | null;
  /** Whether nothing will be stored. */
  readonly dryRun?: boolean | null;
  /** The options of the operation, such as CreateOptions. */
  readonly options?: KubernetesObject | null;
}

/** A request as the admission plugins see it (apiserver admission.Attributes). */
export interface RequestAttributes {
  /** The kind of the object. */
  readonly kind: GroupVersionKind;
  /** The resource of the request. */
  readonly resource: GroupVersionResource;
  /** The subresource; empty for the resource itself. */
  readonly subresource: string;
  /** The name of the object; empty if the server generates it. */
  readonly name: string;
  /** The namespace of the request; empty without one. */
  readonly namespace: string;
  /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`. */
  readonly operation: string;
  /** The object after the operation; null for DELETE. */
  readonly object: KubernetesObject | null;
  /** The stored object; null for CREATE and CONNECT. */
  readonly oldObject: KubernetesObject | null;
  /** The options of the operation. */
  readonly options: KubernetesObject | null;
  /** Whether the server stores nothing. */
  readonly dryRun: boolean;
  /** The user who sends the request. */
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

/** Reads a request; the original kind and resource win over the converted ones. */
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
