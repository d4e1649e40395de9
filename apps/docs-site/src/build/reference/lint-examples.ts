/** A rule of lint with a text that breaks it and one that does not. */
export interface LintExample {
  readonly code: string;
  /** The description of the rule and the reason for it. */
  readonly about: string;
  readonly bad: string;
  readonly good: string;
  /** The oldest server that is to take the policies. */
  readonly minKubernetesVersion?: string;
  /** Whether the examples are static manifests, which a server reads from its own disk. */
  readonly isStatic?: boolean;
}

/** The parts that differ between the policies of the examples. */
interface Parts {
  readonly resources?: string;
  readonly variables?: string;
  readonly validation?: string;
  readonly more?: string;
  readonly paramKind?: string;
  readonly binding?: string;
}

function policy({
  resources = 'deployments',
  variables = '',
  validation = 'object.spec.replicas <= 5',
  more = '',
  paramKind = '',
  binding = '',
}: Parts = {}): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
${paramKind}  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [${resources}]}
${variables}  validations:
  - expression: ${validation}
${more}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replicas
spec:
  policyName: replicas
  validationActions: [Deny]
${binding}`;
}

function mutation(fields: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: defaults
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{spec: Object.spec{${fields}}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: defaults
spec:
  policyName: defaults
`;
}

const paramKind = `  paramKind: {apiVersion: v1, kind: ConfigMap}
`;
function kyverno(message: string): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata:
  name: latest
spec:
  background: false
  rules:
  - name: latest
    match:
      any:
      - resources: {kinds: [Pod]}
    validate:
      failureAction: Enforce
      message: "${message}"
      pattern:
        spec:
          containers:
          - image: "!*:latest"
`;
}

function labelled(ttl: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: preview
  labels:
    cleanup.kyverno.io/ttl: "${ttl}"
`;
}

function exception(expiresAt: string): string {
  return `apiVersion: policies.kyverno.io/v1
kind: PolicyException
metadata:
  name: until-the-migration
  namespace: shop
spec:
  policyRefs:
  - {name: need-team, kind: ValidatingPolicy}
  expiresAt: "${expiresAt}"
`;
}

function kyvernoCel(expression: string): string {
  const [rule = ''] = kyverno('').split('    validate:');
  return `${rule}    validate:
      failureAction: Enforce
      cel:
        expressions:
        - expression: ${expression}
`;
}

function withPrecondition(
  list: string,
  condition: string = "{key: '{{ request.operation }}', operator: Equals, value: CREATE}",
): string {
  return kyverno('no').replace(
    '    validate:',
    `    preconditions:\n      ${list}:\n      - ${condition}\n    validate:`,
  );
}

function kyvernoCondition(value: string): string {
  const key = '{{ request.object.spec.containers | length(@) }}';
  return withPrecondition('all', `{key: '${key}', operator: GreaterThan, value: ${value}}`);
}

const loop = 'object.spec.template.spec.containers.all';

function definition(rule: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: limits.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits, singular: limit}
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
            properties:
              most: {type: integer}
            x-kubernetes-validations:
            - rule: ${rule}
`;
}

const paramRef = `  paramRef: {name: limits, namespace: policies, parameterNotFoundAction: Deny}
`;

/** The rules, each with its examples; the build runs them. */
export const lintExamples: readonly LintExample[] = [
  {
    code: 'unreadable',
    about:
      'The file is neither YAML nor JSON, or contains something other than Kubernetes objects.',
    bad: 'kind: [\n',
    good: policy(),
  },
  {
    code: 'cannot-be-decoded',
    about: 'A field has a value of the wrong type, so kube-apiserver cannot decode the object.',
    bad: policy({ more: '    message: {a: b}\n' }),
    good: policy({ more: '    message: too many replicas\n' }),
  },
  {
    code: 'invalid-field',
    about: 'kube-apiserver would reject the object because of an invalid field.',
    bad: policy({ more: '    reason: Because\n' }),
    good: policy({ more: '    reason: Forbidden\n' }),
  },
  {
    code: 'expression-error',
    about: 'An expression does not compile: kube-apiserver would reject the policy.',
    bad: policy({ validation: 'object.spec.replicas <=' }),
    good: policy(),
  },
  {
    code: 'static-manifest',
    about:
      "A server that reads this manifest from its own disk (`--static-manifests`, the server's `staticManifestsDir`) would not start, or would keep the previous content. Names of static policies end in `.static.k8s.io`, these policies have no parameters, and their bindings are in the same folder.",
    bad: policy(),
    good: policy().replaceAll(': replicas\n', ': replicas.static.k8s.io\n'),
    isStatic: true,
  },
  {
    code: 'type-warning',
    about:
      'The expression compiles, but fails for a kind that the policy matches; kube-apiserver writes this warning into the status of the policy.',
    bad: policy({ validation: 'object.spec.replica <= 5' }),
    good: policy(),
  },
  {
    code: 'unknown-field',
    about: 'The kind has no such field. kube-apiserver drops it, so it has no effect.',
    bad: policy({ more: '    mesage: too many replicas\n' }),
    good: policy({ more: '    message: too many replicas\n' }),
  },
  {
    code: 'unknown-resource',
    about: 'A rule names an unknown resource, so it never matches.',
    bad: policy({ resources: 'deployment' }),
    good: policy({ resources: 'deployments' }),
  },
  {
    code: 'unused-variable',
    about: 'No expression reads the variable.',
    bad: policy({ variables: '  variables:\n  - {name: most, expression: "5"}\n' }),
    good: policy({
      variables: '  variables:\n  - {name: most, expression: "5"}\n',
      validation: 'object.spec.replicas <= variables.most',
    }),
  },
  {
    code: 'missing-parameters',
    about: 'The policy has a `paramKind`, but the binding has no `paramRef`: `params` is null.',
    bad: policy({ paramKind }),
    good: policy({ paramKind, binding: paramRef }),
  },
  {
    code: 'stray-parameters',
    about: 'The binding has a `paramRef`, but the policy has no `paramKind`.',
    bad: policy({ binding: paramRef }),
    good: policy({ paramKind, binding: paramRef }),
  },
  {
    code: 'unknown-parameter-kind',
    about: 'The kind of the parameters is unknown: its definition is not among the inputs.',
    bad: policy({
      paramKind: '  paramKind: {apiVersion: example.com/v1, kind: Limit}\n',
      binding: paramRef,
    }),
    good: policy({ paramKind, binding: paramRef }),
  },
  {
    code: 'policy-without-binding',
    about: 'A policy without a binding never runs.',
    bad: policy().split('---\n')[0] ?? '',
    good: policy(),
  },
  {
    code: 'binding-without-policy',
    about: 'The binding refers to a policy that is not among the inputs.',
    bad: policy().split('---\n')[1] ?? '',
    good: policy(),
  },
  {
    code: 'duplicate-name',
    about: 'Two objects have the same kind and name; a cluster would keep the last.',
    bad: `${policy()}---\n${policy().split('---\n')[1]}`,
    good: policy(),
  },
  {
    code: 'unknown-kind',
    about: 'The server does not know the kind of an object.',
    bad: `${policy()}---\napiVersion: apps/v1\nkind: Deploymint\nmetadata: {name: web}\n`,
    good: policy(),
  },
  {
    code: 'mutation-refused',
    about: 'The mutation fails, so kube-apiserver would reject every request that it matches.',
    bad: mutation('replicaz: 3'),
    good: mutation('replicas: 3'),
  },
  {
    code: 'mutation-invalid-value',
    about: 'kube-apiserver rejects the mutated object.',
    bad: mutation('replicas: 3').replace(
      'spec: Object.spec{replicas: 3}',
      'metadata: Object.metadata{namespace: "other"}',
    ),
    good: mutation('replicas: 3'),
  },
  {
    code: 'mutation-no-effect',
    about: 'The mutation changes a field that is not stored, or does not have the intended effect.',
    bad: mutation('replicas: 3').replace(
      'spec: Object.spec{replicas: 3}',
      'status: Object.status{replicas: 3}',
    ),
    good: mutation('replicas: 3'),
  },
  {
    code: 'kyverno-refused',
    about: "Kyverno's webhook would reject the policy.",
    bad: kyverno('{{ nobody.name }}'),
    good: kyverno('{{ request.object.metadata.name }}'),
  },
  {
    code: 'kyverno-variable',
    about:
      'A variable is not closed, so Kyverno treats it as plain text, or a query is not valid JMESPath.',
    bad: kyverno('not {{ request.object.metadata.name }'),
    good: kyverno('not {{ request.object.metadata.name }}'),
  },
  {
    code: 'kyverno-condition',
    about:
      'The operator compares by size, but the value has no size, such as a word. The condition is never true, and Kyverno only logs an error.',
    bad: kyvernoCondition('five'),
    good: kyvernoCondition('5'),
  },
  {
    code: 'kyverno-expression',
    about:
      'Kyverno accepts the policy, but the expression does not compile: every request that the rule matches fails.',
    bad: kyvernoCel('size(object.spec.containers)'),
    good: kyvernoCel('size(object.spec.containers) < 5'),
  },
  {
    code: 'kyverno-ignored',
    about: 'The definition of the kind accepts any field here, and Kyverno ignores this one.',
    bad: withPrecondition('al'),
    good: withPrecondition('all'),
  },
  {
    code: 'kyverno-warning',
    about: 'Kyverno accepts the policy with a warning.',
    bad: kyverno('no').replace('failureAction: Enforce', 'failureAction: enforce'),
    good: kyverno('no'),
  },
  {
    code: 'kyverno-deprecated',
    about:
      'The kind of `kyverno.io` is deprecated since Kyverno 1.19. A run reports only the first such object; editors show it as information. The guide [Migrate from ClusterPolicy before Kyverno 1.20](/guides/kyverno-1-20) shows how to convert policies or keep them.',
    bad: kyverno('no'),
    good: policy(),
  },
  {
    code: 'kyverno-not-evaluated',
    about: 'The rule needs a registry or a cluster, so kubeadmit does not evaluate it.',
    bad: `${kyverno('no').split('    validate:')[0]}    validate:
      manifests:
        attestors:
        - entries:
          - keys: {publicKeys: "k8s://policies/key"}
`,
    good: kyverno('no'),
  },
  {
    code: 'cleanup-label',
    about:
      "Kyverno's cleanup controller deletes an object with this label after the duration, counted from its creation, or at the time. It understands `90s`, `2h30m`, `7d`, `2026-01-31` and `2026-01-31T150405Z`, and never deletes an object with another value.",
    bad: labelled('soon'),
    good: labelled('7d'),
  },
  {
    code: 'expired-exception',
    about:
      "The exception has expired. Kyverno's admission controller no longer applies it; Kyverno's CLI still does.",
    bad: exception('2020-01-01T00:00:00Z'),
    good: exception('2120-01-01T00:00:00Z'),
  },
  {
    code: 'unused-ignore',
    about: 'A comment ignores a rule that reports nothing there.',
    bad: `# kubeadmit-ignore unused-variable\n${policy()}`,
    good: `# kubeadmit-ignore policy-without-binding\n${policy().split('---\n')[0]}`,
  },
  {
    code: 'foreign-word',
    about:
      'The expression uses syntax of another language. Errors that follow from it are not reported separately.',
    bad: policy({
      validation: "object.spec.replicas <= 5 and object.metadata.name.startWith('a')",
    }),
    good: policy({
      validation: "object.spec.replicas <= 5 && object.metadata.name.startsWith('a')",
    }),
  },
  {
    code: 'unguarded-field',
    about:
      'An expression reads an optional field without checking that it exists. For objects without the field, the evaluation fails, and the failure policy decides.',
    bad: policy({ validation: 'object.spec.paused == false' }),
    good: policy({ validation: '!has(object.spec.paused) || object.spec.paused == false' }),
  },
  {
    code: 'null-object',
    about: 'An expression reads `oldObject` of a CREATE or `object` of a DELETE, where it is null.',
    bad: policy({ validation: 'object.spec.replicas >= oldObject.spec.replicas' }),
    good: policy({
      validation: 'oldObject == null || object.spec.replicas >= oldObject.spec.replicas',
    }),
  },
  {
    code: 'namespace-in-condition',
    about: 'Match conditions do not see the namespace: `namespaceObject` is null in them.',
    bad: policy({
      variables:
        '  matchConditions:\n  - {name: shop, expression: "namespaceObject.metadata.name == \'shop\'"}\n',
    }),
    good: policy({
      variables:
        '  matchConditions:\n  - {name: shop, expression: "request.namespace == \'shop\'"}\n',
    }),
  },
  {
    code: 'constant-expression',
    about: 'An expression, or a part of it, always has the same value.',
    bad: policy({ validation: 'object.spec.replicas <= 5 || true' }),
    good: policy(),
  },
  {
    code: 'shadowed-name',
    about: 'A loop variable hides a variable of the policy or of an enclosing loop.',
    bad: policy({
      validation: "object.spec.template.spec.containers.all(object, object.name != 'a')",
    }),
    good: policy({ validation: "object.spec.template.spec.containers.all(c, c.name != 'a')" }),
  },
  {
    code: 'unbounded-cost',
    about:
      'Three nested loops iterate over lists of the object: for long lists, the evaluation exceeds the cost limit and fails.',
    bad: policy({
      validation: `${loop}(a, ${loop}(b, ${loop}(c, a.name != b.name || b.name != c.name)))`,
    }),
    good: policy({ validation: `${loop}(a, ${loop}(b, a == b || a.name != b.name))` }),
  },
  {
    code: 'never-matches',
    about:
      'No request can match a rule, a resource, an operation or a selector, or a binding matches nothing that its policy matches. A superfluous operation is only a hint.',
    bad: policy({ resources: 'deployments, deployments/scale' }),
    good: policy(),
  },
  {
    code: 'unused-parameters',
    about: 'No expression reads the parameters.',
    bad: policy({ paramKind, binding: paramRef }),
    good: policy({
      paramKind,
      binding: paramRef,
      validation: "string(object.spec.replicas) <= params.data['most']",
    }),
  },
  {
    code: 'invalid-definition',
    about:
      'A server rejects a CustomResourceDefinition: its schema is not structural, or a rule does not compile or can exceed the cost limit.',
    bad: `${policy()}---\n${definition('self.mots <= 5')}`,
    good: `${policy()}---\n${definition('self.most <= 5')}`,
  },
  {
    code: 'needs-newer-version',
    about:
      'With `--min-kubernetes-version` or `lint.minKubernetesVersion`: the oldest supported server rejects a policy.',
    bad: policy({ validation: 'isIP(object.metadata.name) || isSemver(object.metadata.name)' }),
    good: policy(),
    minKubernetesVersion: '1.30',
  },
  {
    code: 'server-false-alarm',
    about:
      'The server reports an existing field as undefined, because its type checker does not follow every reference.',
    bad: policy({ validation: `${loop}(c, has(c.resources.limits))` }),
    good: policy(),
  },
];
