import type { Example } from './example.ts';

const binding = (name: string, kind: 'Validating' | 'Mutating' = 'Validating'): string => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}AdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
${kind === 'Validating' ? '  validationActions: [Deny]\n' : ''}`;

/** Starting points for common needs, in addition to the examples of the repository. */
export const gallery: readonly Example[] = [
  {
    name: 'plain-cel',
    title: 'Plain CEL',
    files: {
      'expression.cel': `list.filter(x, x.startsWith("a")).map(x, x.upperAscii()).join(", ")
`,
      'variables.yaml': `list: [apple, pear, apricot]
`,
    },
  },
  {
    name: 'custom-resource',
    title: 'A custom resource and its rules',
    files: {
      'definition.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: queues.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Queue, plural: queues, singular: queue}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [minWorkers, maxWorkers]
            properties:
              minWorkers: {type: integer, minimum: 0}
              maxWorkers: {type: integer, maximum: 100}
            x-kubernetes-validations:
            - rule: self.minWorkers <= self.maxWorkers
              message: minWorkers must not exceed maxWorkers
`,
      'policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: small-queues
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [queues]}
  validations:
  - expression: object.spec.maxWorkers <= 10
    message: ask the platform team for more than 10 workers
${binding('small-queues')}`,
      'queues.yaml': `apiVersion: example.com/v1
kind: Queue
metadata: {name: mail}
spec: {minWorkers: 1, maxWorkers: 4}
---
apiVersion: example.com/v1
kind: Queue
metadata: {name: reports}
spec: {minWorkers: 1, maxWorkers: 40}
---
apiVersion: example.com/v1
kind: Queue
metadata: {name: broken}
spec: {minWorkers: 8, maxWorkers: 4}
`,
    },
  },
  {
    name: 'sidecar',
    title: 'Add a sidecar',
    files: {
      'policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: sidecar
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  matchConditions:
  - name: wants-it
    expression: object.metadata.?labels["example.com/mesh"].orValue("") == "on"
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: |
        Object{
          spec: Object.spec{
            initContainers: [
              Object.spec.initContainers{
                name: "mesh",
                image: "registry.example.com/mesh:1.4.0",
                restartPolicy: "Always"
              }
            ]
          }
        }
${binding('sidecar', 'Mutating')}`,
      'pods.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {example.com/mesh: "on"}
spec:
  containers:
  - name: web
    image: registry.example.com/web:1.0.0
---
apiVersion: v1
kind: Pod
metadata: {name: batch}
spec:
  containers:
  - name: batch
    image: registry.example.com/batch:1.0.0
`,
    },
  },
];
