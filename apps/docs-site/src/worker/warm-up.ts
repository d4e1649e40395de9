import { newestMinor } from '@kubeadmit/engine';
import { judge } from './judge.ts';
import { plainRequest } from './plain-request.ts';

/**
 * Judges a policy of the commonest form, before anybody asks: what is loaded for the first verdict is loaded then, and
 * what is compiled of the engines is compiled.
 */
export async function warmUp(): Promise<void> {
  await judge({
    files: { 'policy.yaml': policy, 'objects.yaml': objects },
    request: plainRequest,
    kubernetesVersions: [`1.${newestMinor}`],
  });
}

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: warm-up
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  variables:
  - name: labels
    expression: object.metadata.?labels.orValue({})
  validations:
  - expression: "['a', 'b'].all(name, name in variables.labels) && object.spec.replicas < 3"
    messageExpression: "'missing: ' + ['a', 'b'].filter(name, !(name in variables.labels)).join(', ')"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: warm-up
spec:
  policyName: warm-up
  validationActions: [Deny]
`;

const objects = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
  labels: {a: b}
spec:
  replicas: 1
  selector:
    matchLabels: {a: b}
  template:
    metadata:
      labels: {a: b}
    spec:
      containers:
      - name: a
        image: b
`;
