import {
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { objectMetaFields } from '@kubeadmit/apimachinery/unstable-internal';
import type { Value } from '@kubeadmit/cel';
import type { PlainObject } from '@kubeadmit/cel/values';
import type { RequestAttributes, UserInfo } from './attributes.ts';

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
  const value: Record<string, Value> = {
    uid: '',
    kind: kindValue(matched.kind),
    resource: resourceValue(matched.resource),
  };
  addText(value, 'subResource', request.subresource);
  value['requestKind'] = kindValue(request.kind);
  value['requestResource'] = resourceValue(request.resource);
  addText(value, 'requestSubResource', request.subresource);
  addText(value, 'name', request.name);
  addText(value, 'namespace', request.namespace);
  value['operation'] = request.operation;
  value['userInfo'] = userValue(request.user);
  value['object'] = null;
  value['oldObject'] = null;
  value['dryRun'] = request.dryRun;
  value['options'] = optionsValue(request.options);
  return value;
}

function addText(value: Record<string, Value>, key: string, text: string | undefined): void {
  if (text !== undefined && text !== '') value[key] = text;
}

function userValue({ username, uid, groups, extra }: UserInfo): PlainObject {
  const value: Record<string, Value> = {};
  addText(value, 'username', username);
  addText(value, 'uid', uid);
  if (groups?.length) value['groups'] = groups;
  if (extra && Object.keys(extra).length > 0) value['extra'] = extra;
  return value;
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

const namespaceMetadata = objectMetaFields.filter(
  (name) => name !== 'ownerReferences' && name !== 'managedFields',
);

/**
 * Returns the value of `namespaceObject`: the parts of a Namespace that policies may read (apiserver
 * plugin/cel/condition.go); null without a namespace.
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
