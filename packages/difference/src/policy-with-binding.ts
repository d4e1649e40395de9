import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';

/** A ValidatingAdmissionPolicy of a spec, and the binding that makes it act everywhere. */
export function policyWithBinding(
  name: string,
  action: 'Deny' | 'Warn' | 'Audit',
  spec: JsonObject,
): readonly KubernetesObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: [action] },
    },
  ] as unknown as readonly KubernetesObject[];
}

/** The group, version and plural name of a resource that a policy matches. */
export type ResourceName = readonly [group: string, version: string, resource: string];

/** A policy that denies objects of which an expression does not hold, when they are made and changed. */
export function policyOfExpression(
  expression: string,
  [group, version, resource]: ResourceName,
): readonly KubernetesObject[] {
  const resourceRules = [
    {
      apiGroups: [group],
      apiVersions: [version],
      resources: [resource],
      operations: ['CREATE', 'UPDATE'],
    },
  ];
  const matchConstraints = { resourceRules };
  const validations = [{ expression, message: 'no' }];
  return policyWithBinding('p', 'Deny', { matchConstraints, validations });
}
