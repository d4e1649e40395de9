/** A validating policy about ConfigMaps with its binding, as YAML. */
export function validatingPolicy(
  name: string,
  expression: string,
  { message = 'refused', actions = '[Deny]', failurePolicy = 'Fail', extra = '' } = {},
): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  failurePolicy: ${failurePolicy}
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
  validations:
  - {expression: ${JSON.stringify(expression)}, message: ${JSON.stringify(message)}}
${extra}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: ${actions}}
`;
}

/** A mutating policy about ConfigMaps with its binding, as YAML. */
export function mutatingPolicy(name: string, expression: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: ${JSON.stringify(expression)}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}}
`;
}
