import type { PlainObject, Value } from '@kubeadmit/cel';
import type {
  GroupVersionKind,
  GroupVersionResource,
  KubernetesObject,
  RequestAttributes,
} from './attributes.ts';
import { member } from './attributes.ts';

const optionFields: Readonly<Record<string, readonly string[]>> = {
  CreateOptions: ['dryRun', 'fieldManager', 'fieldValidation'],
  UpdateOptions: ['dryRun', 'fieldManager', 'fieldValidation'],
  PatchOptions: ['dryRun', 'force', 'fieldManager', 'fieldValidation'],
  DeleteOptions: [
    'gracePeriodSeconds',
    'preconditions',
    'orphanDependents',
    'propagationPolicy',
    'dryRun',
    'ignoreStoreReadErrorWithClusterBreakingPotential',
  ],
};

/**
 * The value of `request`: an AdmissionRequest as kube-apiserver makes it for a policy, with the
 * resource and kind that the policy matched (apiserver plugin/cel/condition.go).
 *
 * Members that Go leaves out of JSON when empty are not there; `object` and `oldObject` are null.
 */
export function requestValue(
  request: RequestAttributes,
  matched: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource },
): PlainObject {
  const { user } = request;
  return withoutEmpty({
    uid: { keep: '' },
    kind: { keep: kindValue(matched.kind) },
    resource: { keep: resourceValue(matched.resource) },
    subResource: request.subresource,
    requestKind: { keep: kindValue(request.kind) },
    requestResource: { keep: resourceValue(request.resource) },
    requestSubResource: request.subresource,
    name: request.name,
    namespace: request.namespace,
    operation: { keep: request.operation },
    userInfo: {
      keep: withoutEmpty({
        username: user.username ?? '',
        uid: user.uid ?? '',
        groups: user.groups?.length ? user.groups : '',
        extra: user.extra && Object.keys(user.extra).length > 0 ? user.extra : '',
      }),
    },
    object: { keep: null },
    oldObject: { keep: null },
    dryRun: { keep: request.dryRun },
    options: { keep: optionsValue(request.options) },
  });
}

type Member = string | readonly string[] | { readonly keep: Value } | PlainObject;

function withoutEmpty(members: Readonly<Record<string, Member>>): PlainObject {
  const kept: Record<string, Value> = {};
  for (const [key, value] of Object.entries(members)) {
    if (value === '') continue;
    const isKept = typeof value === 'object' && !Array.isArray(value) && 'keep' in value;
    kept[key] = isKept ? (value as { readonly keep: Value }).keep : (value as Value);
  }
  return kept;
}

function kindValue({ group, version, kind }: GroupVersionKind): PlainObject {
  return { group, version, kind };
}

function resourceValue({ group, version, resource }: GroupVersionResource): PlainObject {
  return { group, version, resource };
}

// The options as the Go type writes them: known fields that are not empty.
function optionsValue(options: KubernetesObject | null): Value {
  if (options === null) return null;
  const kind = member(options, 'kind');
  const fields = typeof kind === 'string' ? optionFields[kind] : undefined;
  const kept: Record<string, Value> = {};
  for (const field of ['kind', 'apiVersion', ...(fields ?? [])]) {
    const value = member(options, field);
    const isEmpty =
      value === undefined ||
      value === null ||
      value === '' ||
      (Array.isArray(value) && value.length === 0);
    if (!isEmpty) kept[field] = value as Value;
  }
  return kept;
}

const namespaceMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/**
 * The value of `namespaceObject`: the parts of a Namespace that policies may see (apiserver
 * plugin/cel/condition.go); null when there is none.
 */
export function namespaceValue(namespace: KubernetesObject | null): Value {
  if (namespace === null) return null;
  const metadata: Record<string, Value> = {};
  for (const key of namespaceMetadata) {
    const value = member(member(namespace, 'metadata'), key);
    if (value !== undefined && value !== null) metadata[key] = value as Value;
  }
  return {
    metadata,
    spec: (member(namespace, 'spec') ?? {}) as Value,
    status: (member(namespace, 'status') ?? {}) as Value,
  };
}
