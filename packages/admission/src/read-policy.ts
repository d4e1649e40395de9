import {
  type FieldError,
  formatFieldError,
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  metadataString,
  type Status,
} from '@kubeadmit/apimachinery';
import { invalidStatus } from '@kubeadmit/apimachinery/status';
import { type PolicyKind, validatePolicyObject } from '@kubeadmit/engine';
import {
  defaultBinding,
  defaultPolicy,
  type PolicyCompilers,
} from '@kubeadmit/engine/unstable-internal';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import { unregisteredKind } from './decode/decode-errors.ts';
import type { LoadedPolicy } from './loaded-policies.ts';

// The versions that the server can read, whichever of them it serves.
const policyVersions = ['v1', 'v1beta1', 'v1alpha1'];

/** Reads a policy or binding as kube-apiserver does at its creation: decoded, with defaults, validated. */
export function readPolicy(
  schemas: Schemas,
  resource: KubernetesObject,
  checkers: PolicyCompilers,
): LoadedPolicy {
  const kind = kindOf(resource);
  const name = `${kind.kind}/${metadataString(resource, 'name')}`;
  const decoded = decodePolicy(schemas, resource);
  if ('message' in decoded) return { problem: { resource: name, message: decoded.message } };
  const { policy } = decoded;
  const errors = validatePolicyObject(kind.kind as PolicyKind, policy, { checkers });
  if (errors.length === 0) return { policy };
  const status = invalidPolicy(policy, kind, errors);
  return {
    problem: {
      resource: name,
      message: status.message ?? '',
      fields: errors.map(formatFieldError),
    },
  };
}

/** A policy or binding as the server reads it, with its defaults, or why it cannot. */
export function decodePolicy(
  schemas: Schemas,
  resource: KubernetesObject,
): { readonly policy: KubernetesObject } | { readonly message: string } {
  const kind = kindOf(resource);
  if (!policyVersions.includes(kind.version))
    return { message: unregisteredKind(kind.kind, formatGroupVersion(kind)) };
  const { object, error, known } = decode(schemas, resource);
  if (object !== undefined && error === undefined) return { policy: withDefaults(object, kind) };
  const text = error ?? '';
  if (!known) return { message: text };
  const head = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
  return { message: `${head}: ${text}` };
}

/** Returns the server's response to a policy or binding with errors. */
export function invalidPolicy(
  policy: KubernetesObject,
  { group, kind }: GroupVersionKind,
  errors: readonly FieldError[],
): Status {
  return invalidStatus({ group, name: kind }, metadataString(policy, 'name'), errors);
}

/**
 * Returns a policy or binding with its defaults.
 *
 * INVARIANT: an object that has its defaults already stays equal.
 */
export function withDefaults(
  object: KubernetesObject,
  { version, kind }: GroupVersionKind,
): KubernetesObject {
  return kind.endsWith('Binding')
    ? (defaultBinding(object, version) as KubernetesObject)
    : (defaultPolicy(object) as KubernetesObject);
}
