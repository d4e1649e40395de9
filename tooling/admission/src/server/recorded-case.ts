import type { JsonObject } from '../json-object.ts';

/** A recorded case of `admit` with its answer. */
export interface RecordedCase {
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly resources: readonly ApiObject[];
  readonly request: RecordedRequest;
  readonly response?: {
    readonly allowed: boolean;
    readonly status?: JsonObject;
    readonly warnings?: readonly string[];
  };
  readonly object?: JsonObject;
  readonly errors?: readonly { readonly resource: string; readonly message: string }[];
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

interface RecordedRequest {
  readonly operation: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly object?: ApiObject;
  readonly oldObject?: ApiObject | null;
  readonly dryRun?: boolean | null;
  readonly userInfo?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

// Values that are specific to real requests and that expressions can read.
export const ownToRequests =
  /authorizer|request\.(options|dryRun|uid|object|userInfo\.extra)|== request\b|request ==|metadata\.(uid|UID|creationTimestamp|generation|managedFields|resourceVersion)|(object|Object|namespaceObject)(\.metadata|\.status)? *(==|!=|in)|namespaceObject\.(status|metadata\.annotations)|\[object|type\(/;

/** Whether a case can be made a real request that says the same. */
export function isPlayable({ resources, request, response, ...rest }: RecordedCase): boolean {
  const { operation, object, oldObject, name = '', namespace = '', subResource = '' } = request;
  const isPolicy = ({ kind }: ApiObject): boolean => /AdmissionPolicy/.test(kind);
  const policies = resources.filter(isPolicy);
  const named = operation === 'CREATE' ? object : oldObject;
  return (
    response !== undefined &&
    rest.kubernetesVersion === undefined &&
    policies.length > 1 &&
    // The server asks several bindings of a kind, or policies, in no fixed order.
    ['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicyBinding'].every(
      (kind) => policies.filter((policy) => policy.kind === kind).length <= 1,
    ) &&
    policies.every(({ apiVersion }) => apiVersion.endsWith('/v1')) &&
    resources.every((resource) => isPolicy(resource) || isSupported(resource)) &&
    !ownToRequests.test(JSON.stringify(policies)) &&
    // These policies would also match the requests that test whether policies are active.
    !/"\*\/(\*|status)"|"namespaces\/|"name":"sentinel"/.test(JSON.stringify(policies)) &&
    ['CREATE', 'UPDATE', 'DELETE'].includes(operation) &&
    subResource === '' &&
    isSupported({ apiVersion: apiVersionOf(request.kind), kind: request.kind.kind }) &&
    named != null &&
    isStored(request.kind, resources) &&
    named.kind === request.kind.kind &&
    named.apiVersion === apiVersionOf(request.kind) &&
    name !== '' &&
    named.metadata?.name === name &&
    (operation !== 'UPDATE' || object?.metadata?.name === name) &&
    [named, object].every(
      (each) => each?.metadata?.namespace === undefined || each.metadata.namespace === namespace,
    )
  );
}

// Fields that exist only in versions other than the stored one are lost in storage.
function isStored(
  { group, version, kind }: RecordedRequest['kind'],
  resources: readonly ApiObject[],
): boolean {
  const definitions = resources.filter((each) => each.kind === 'CustomResourceDefinition');
  return definitions.every((definition) => {
    const { spec } = definition as unknown as {
      spec: {
        group: string;
        names: { kind: string };
        versions: { name: string; storage: boolean }[];
      };
    };
    if (spec.group !== group || spec.names.kind !== kind) return true;
    return spec.versions.some(({ name, storage }) => storage && name === version);
  });
}

/** The `apiVersion` of a group and version. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

const kinds = [
  ...['Pod', 'Service', 'ConfigMap', 'Secret', 'ServiceAccount', 'Namespace', 'Deployment'],
  ...['StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Ingress', 'NetworkPolicy'],
  ...['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'Lease', 'StorageClass', 'IngressClass'],
  ...['PriorityClass', 'ResourceQuota', 'LimitRange', 'PersistentVolumeClaim', 'Role'],
  ...['ClusterRole', 'CustomResourceDefinition', 'RuntimeClass', 'Node'],
];

function isSupported({ apiVersion, kind }: ApiObject): boolean {
  return kinds.includes(kind) || apiVersion.startsWith('ex.com/');
}
