import { validateDataSources } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  formatGroupVersion,
  type KubernetesObject,
  member,
  memberText,
} from '@kubeadmit/apimachinery';
import { invalid, validateObjectMetaUpdate } from '@kubeadmit/apimachinery/field-errors';
import { storeCustomResource } from '@kubeadmit/custom-resources';
import { validateDefinition } from '@kubeadmit/custom-resources/definitions';
import { isPolicyKind, parseVersion, policyGroup, validatePolicyObject } from '@kubeadmit/engine';
import { type PolicyCompilers, staticNameErrors } from '@kubeadmit/engine/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { ApiError } from '../errors/api-error.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { Endpoint } from './endpoint.ts';
import { definitionChangeErrors, immutableErrors } from './immutable-fields.ts';
import { decisionErrors } from './signing-requests.ts';
import { validateChange } from './validate-change.ts';
import { validateConfigMap, validateSecret } from './validate-config.ts';
import { validateFields } from './validate-fields.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validatePodIn } from './validate-pod.ts';
import { validateQuota } from './validate-quota.ts';
import { validateRbac } from './validate-rbac.ts';
import { validateWebhooks } from './validate-webhooks.ts';
import { validateWorkload } from './validate-workload.ts';

/** The context of validating objects. */
export interface ObjectValidation {
  readonly endpoint: Endpoint;
  readonly schemas: Schemas;
  readonly compilers: PolicyCompilers;
  /** Receives warnings for the client. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Validates an object that is created or, with `old`, updated. For built-in kinds other than policies and
 * definitions, only the metadata and some frequent fields are validated.
 */
export function validateObject(
  object: KubernetesObject,
  { endpoint, schemas, compilers, warn }: ObjectValidation,
  old?: KubernetesObject,
): readonly FieldError[] {
  const { kind, isCustom } = endpoint;
  if (kind.group === policyGroup && isPolicyKind(kind.kind)) {
    return validatePolicyObject(kind.kind, object, { checkers: compilers, old });
  }
  if (kind.group === 'rbac.authorization.k8s.io') return rbacErrors(object, endpoint, old);
  if (isCustom) {
    const other = otherKindErrors(object, kind);
    if (other.length > 0) return other;
    const stored = storeCustomResource(
      { kind, object, oldObject: old, subresource: endpoint.subresource?.name ?? '', warn },
      schemas,
    );
    if (stored?.refusal !== undefined) throw new ApiError(stored.refusal);
    return stored === undefined ? validateMetadata(object, old, endpoint) : [];
  }
  const metadata = validateMetadata(object, old, endpoint);
  if (kind.kind === 'CustomResourceDefinition') {
    const findings = validateDefinition(object, {
      schemas,
      minor: parseVersion(schemas.version),
    });
    if (old === undefined) return findings;
    const own = findings.filter(({ field }) => !field.startsWith('metadata.'));
    const changed = validateObjectMetaUpdate(metadataOf(object), metadataOf(old));
    return [...metadata, ...changed, ...own, ...definitionChangeErrors(object, old)];
  }
  if (kind.group === policyGroup) {
    const reserved = old === undefined ? staticNameErrors(metadataOf(object), compilers.code) : [];
    return [...metadata, ...validateWebhooks(object, compilers, old), ...reserved];
  }
  return [
    ...metadata,
    ...finalizerErrors(object, endpoint),
    ...(old === undefined ? [] : immutableErrors(object, old, endpoint)),
    ...(old !== undefined && kind.kind === 'CertificateSigningRequest'
      ? decisionErrors(object, old, endpoint)
      : []),
    ...(changesSpec(endpoint) ? ownErrors(object, kind, schemas) : []),
    ...(old === undefined ? [] : validateChange(object, old, endpoint, schemas)),
    ...(kind.group === '' && kind.kind === 'Namespace' ? phaseErrors(object) : []),
  ];
}

/** The subresources of pods whose requests are validated as the complete pod is. */
const specChanges: ReadonlySet<string> = new Set(['resize', 'ephemeralcontainers']);

/** Whether a request can change the fields that {@link ownErrors} reads. */
function changesSpec({ subresource }: Endpoint): boolean {
  return subresource === undefined || specChanges.has(subresource.name);
}

// A custom resource declares its own kind.
function otherKindErrors(object: KubernetesObject, kind: Endpoint['kind']): FieldError[] {
  const apiVersion = formatGroupVersion(kind);
  return [
    ...(object['kind'] === kind.kind
      ? []
      : [invalid('kind', object['kind'], `must be ${kind.kind}`)]),
    ...(object['apiVersion'] === apiVersion
      ? []
      : [invalid('apiVersion', object['apiVersion'], `must be ${apiVersion}`)]),
  ];
}

function ownErrors(
  object: KubernetesObject,
  own: Endpoint['kind'],
  schemas: Schemas,
): readonly FieldError[] {
  const { group, kind } = own;
  if (group === '' && kind === 'ConfigMap') return validateConfigMap(object);
  if (group === '' && kind === 'Secret') return validateSecret(object);
  if (group === '' && kind === 'ResourceQuota') return validateQuota(object);
  return [
    ...validateWorkload(object, kind),
    ...validateFields(schemas, object, own),
    ...validatePodIn(object, kind, schemas.minor),
    ...(group === '' && kind === 'PersistentVolumeClaim' ? validateDataSources(object) : []),
  ];
}

function rbacErrors(
  object: KubernetesObject,
  endpoint: Endpoint,
  old: KubernetesObject | undefined,
): readonly FieldError[] {
  const { own, declarative } = validateRbac(object, endpoint.kind.kind);
  const metadata = validateMetadata(object, old, endpoint);
  const finalizers = finalizerErrors(object, endpoint);
  if (old === undefined) return [...metadata, ...finalizers, ...own, ...declarative];
  const immutable = immutableErrors(object, old, endpoint);
  return [...metadata, ...own, ...finalizers, ...immutable, ...declarative];
}

const standardFinalizers: ReadonlySet<string> = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
]);

/** Groups whose kinds validate finalizers only as every object does. */
const anyFinalizer: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'policy',
]);

// Most groups ask for finalizers with a domain (core validation.ValidateObjectMeta).
function finalizerErrors(object: KubernetesObject, { kind }: Endpoint): FieldError[] {
  if (anyFinalizer.has(kind.group)) return [];
  return (metadataOf(object).finalizers ?? []).flatMap((name, i): FieldError[] => {
    if (name.includes('/') || standardFinalizers.has(name)) return [];
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${i}]`, name, why)];
  });
}

// core validation `ValidateNamespaceStatusUpdate`
function phaseErrors(object: KubernetesObject): FieldError[] {
  const isGoing = Boolean(metadataOf(object).deletionTimestamp);
  const phase = memberText(member(object, 'status'), 'phase');
  const expected = isGoing ? 'Terminating' : 'Active';
  if (phase === expected || phase === '') return [];
  const when = `\`deletionTimestamp\` is ${isGoing ? 'not ' : ''}empty`;
  return [invalid('status.Phase', phase, `may only be '${expected}' if ${when}`)];
}
