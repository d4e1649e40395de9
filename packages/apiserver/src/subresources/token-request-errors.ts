import { type FieldError, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { invalid, notSupported } from '@kubeadmit/apimachinery/field-errors';
import { dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { hasMembers } from '@kubeadmit/base';

const attestation = 'admissionReviewAPIGroups';

/** Returns the errors of the `spec` of a TokenRequest (authentication validation `ValidateTokenRequest`). */
export function tokenRequestErrors(spec: KubernetesObject): readonly FieldError[] {
  const errors = expirationErrors(spec['expirationSeconds']);
  const attestations = spec['attestations'] ?? null;
  if (isWebhook(spec['boundObjectRef'])) {
    const audiences = spec['audiences'] ?? null;
    if (!Array.isArray(audiences) || audiences.length !== 1) {
      const why = 'must be length 1 when bound to a webhook config';
      errors.push(invalid('spec.audiences', audiences, why));
    }
    return [...errors, ...attestationErrors(attestations)];
  }
  if (!hasMembers(attestations) || Object.keys(attestations).length === 0) return errors;
  const why = 'attestations may only be specified with a webhook bound object reference';
  return [invalid('spec.attestations', attestations, why)];
}

export function isWebhook(reference: unknown): boolean {
  const kind = member(reference, 'kind');
  const isConfiguration =
    kind === 'ValidatingWebhookConfiguration' || kind === 'MutatingWebhookConfiguration';
  return isConfiguration && member(reference, 'apiVersion') === 'admissionregistration.k8s.io/v1';
}

function expirationErrors(seconds: unknown): FieldError[] {
  const at = 'spec.expirationSeconds';
  if (typeof seconds !== 'number') return [];
  if (seconds < 600)
    return [invalid(at, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds <= 2 ** 32) return [];
  return [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')];
}

function attestationErrors(attestations: unknown): readonly FieldError[] {
  const at = 'spec.attestations';
  const entries = hasMembers(attestations) ? Object.entries(attestations) : [];
  if (entries.length !== 1) {
    const why = 'webhook bound requests require exactly one admissionReviewAPIGroups attestation';
    return [invalid(at, attestations, why)];
  }
  return entries.flatMap(([key, values]) => {
    const path = `${at}[${key}]`;
    if (key !== attestation) return [notSupported(path, key, [attestation])];
    if (!Array.isArray(values) || values.length !== 1)
      return [invalid(path, values, 'must specify a single value')];
    return groupErrors(String(values[0]), `${path}[0]`);
  });
}

function groupErrors(group: string, path: string): readonly FieldError[] {
  if (group === '') return [invalid(path, group, 'may not be an empty string')];
  if (group === '*') return [];
  return dns1123SubdomainProblems(group).map((reason) =>
    invalid(path, group, `must specify a valid API Group: ${reason}`),
  );
}
