import {
  type FieldError,
  formatFieldError,
  type GroupVersionKind,
  type KubernetesObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import { invalidStatus } from '@kubeadmit/apimachinery/internal';
import {
  type BindingSpec,
  defaultBinding,
  defaultPolicy,
  type MutatingPolicy,
  type PolicyCompilers,
  type PolicyObject,
  policyGroup,
  type ValidatingPolicy,
  validateMutatingBinding,
  validateMutatingPolicy,
  validateValidatingBinding,
  validateValidatingPolicy,
} from '@kubeadmit/engine';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import { unregisteredKind } from './decode-errors.ts';
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
  const refuse = (message: string): LoadedPolicy => ({
    problem: { resource: `${kind.kind}/${metadataString(resource, 'name')}`, message },
  });
  if (!policyVersions.includes(kind.version)) return refuse(unregisteredKind(kind));
  const { object, error, known } = decode(schemas, resource);
  if (object === undefined || error !== undefined) {
    const text = error ?? '';
    if (!known) return refuse(text);
    const head = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
    return refuse(`${head}: ${text}`);
  }
  const policy = withDefaults(object, kind);
  const errors = validate(kind.kind, policy, checkers);
  if (errors.length === 0) return { policy };
  const name = metadataString(policy, 'name');
  const status = invalidStatus({ group: policyGroup, name: kind.kind }, name, errors);
  return {
    problem: {
      resource: `${kind.kind}/${name}`,
      message: status.message ?? '',
      fields: errors.map(formatFieldError),
    },
  };
}

function validate(
  kind: string,
  object: KubernetesObject,
  checkers: PolicyCompilers,
): readonly FieldError[] {
  switch (kind) {
    case 'ValidatingAdmissionPolicy':
      return validateValidatingPolicy(object as ValidatingPolicy, { checkers });
    case 'MutatingAdmissionPolicy':
      return validateMutatingPolicy(object as MutatingPolicy, { checkers });
    case 'ValidatingAdmissionPolicyBinding':
      return validateValidatingBinding(object as PolicyObject<BindingSpec>);
    default:
      return validateMutatingBinding(object as PolicyObject<BindingSpec>);
  }
}

// INVARIANT: what has its defaults already stays equal.
function withDefaults(
  object: KubernetesObject,
  { version, kind }: GroupVersionKind,
): KubernetesObject {
  return kind.endsWith('Binding')
    ? (defaultBinding(object, version) as KubernetesObject)
    : (defaultPolicy(object) as KubernetesObject);
}
