import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';

/** A value in words: scalars as they are, of lists and maps how many members they have. */
function shown(value: string): string {
  const is = (...types: readonly string[]): string =>
    `(${types.map((type) => `type(${value}) == ${type}`).join(' || ')})`;
  const scalar = is('string', 'int', 'bool', 'double');
  return `(${scalar} ? string(${value}) : ${is('list', 'map')} ? 'size ' + string(size(${value})) : 'other')`;
}

function members(of: string): string {
  return `(has(${of}) ? ${of}.map(k, k + '=' + ${shown(`dyn(${of}[k])`)}).sort().join(' ') : 'none')`;
}

/** Expressions that policies print about a request; the comparison replaces the random values in them. */
const facts: readonly string[] = [
  "object == null ? 'null' : object.map(k, k).sort().join(' ')",
  `object == null ? 'null' : ${members('object.metadata')}`,
  `object == null ? 'null' : ${members('object.spec')}`,
  `object == null ? 'null' : ${members('object.status')}`,
  `oldObject == null ? 'null' : ${members('oldObject.metadata')}`,
  `oldObject == null ? 'null' : ${members('oldObject.spec')}`,
  `oldObject == null ? 'null' : ${members('oldObject.status')}`,
  "object == null || !has(object.metadata.managedFields) ? 'none' : object.metadata.managedFields.map(m, m.operation + ' ' + m.apiVersion + ' ' + m.fieldsV1.map(k, k).sort().join(' ')).join(', ')",
  "object == null || !has(object.metadata.managedFields) ? 'none' : object.metadata.managedFields.map(m, m.fieldsV1.map(k, k + ':' + m.fieldsV1[k].map(j, j).sort().join(' ')).sort().join(' ')).join(', ')",
  "object == null || !has(object.spec) || !has(object.spec.template) ? 'none' : object.spec.template.map(k, k).sort().join(' ') + ' ' + (has(object.spec.template.spec) ? object.spec.template.spec.map(k, k).sort().join(' ') : '')",
  "object == null || !has(object.spec) || !has(object.spec.ports) ? 'none' : object.spec.ports.map(p, p.map(k, k).sort().join(' ')).join(', ')",
  "request.operation + ' ' + request.resource.resource + ' ' + request.kind.kind + ' ' + request.?name.orValue('-') + ' ' + request.?namespace.orValue('-')",
  "namespaceObject == null ? 'null' : namespaceObject.metadata.name + ' ' + namespaceObject.metadata.labels.map(k, k).sort().join(' ')",
  "object == null || !has(object.metadata.labels) ? 'none' : object.metadata.labels.map(k, k + '=' + object.metadata.labels[k]).sort().join(' ')",
  "object == null || !has(object.metadata.annotations) ? 'none' : object.metadata.annotations.map(k, k).filter(k, !k.startsWith('kubectl')).sort().join(' ')",
];

/** Expressions about the object whose size mutating policies write into an annotation. */
const seenFacts: readonly string[] = [
  "object.metadata.map(k, k).filter(k, k != 'annotations').sort().join(' ')",
  members('object.status'),
  "(has(object.metadata.managedFields) ? object.metadata.managedFields.map(m, m.operation + m.fieldsV1.map(k, k).sort().join(' ')).join(', ') : 'none')",
  "request.operation + ' ' + request.?name.orValue('-') + ' ' + request.?namespace.orValue('-')",
];

const groups: readonly (readonly string[])[] = [
  ['*'],
  [''],
  [''],
  ['apps', 'batch'],
  ['apiextensions.k8s.io', 'example.com'],
  ['', 'networking.k8s.io', 'discovery.k8s.io'],
  ['storage.k8s.io', 'autoscaling', 'policy', 'rbac.authorization.k8s.io'],
];

/** Validating and mutating policies with their bindings, which print facts about every request. */
export function makePolicies(random: Random, count: number): readonly KubernetesObject[] {
  return Array.from({ length: count }, (_, number) =>
    number % 8 === 7 ? mutating(random, number) : validating(random, number),
  ).flat();
}

/** Denying policies by their number: of different objects, since the order of denials is not fixed. */
const denials: Readonly<Record<number, { readonly app: string; readonly reason?: string }>> = {
  10: { app: 'web' },
  13: { app: 'api', reason: 'Forbidden' },
  22: { app: 'db', reason: 'RequestEntityTooLarge' },
  25: { app: 'cache' },
  34: { app: 'shop', reason: 'Invalid' },
};

/** Additional fields of a policy and of its binding. */
interface SpecialForm {
  spec(random: Random): object;
  binding(random: Random): object;
}

/** Expressions that fail on most objects. */
const failing: readonly string[] = [
  'object.spec.replicas > 2',
  "oldObject.metadata.name == ''",
  "object.metadata.labels['tier'] == 'web'",
];

/** Validating policies of other forms, by their number modulo 16. */
const specialForms: Readonly<Record<number, SpecialForm>> = {
  3: {
    spec: () => ({ auditAnnotations: [{ key: 'seen', valueExpression: 'variables.fact' }] }),
    binding: (random) => ({ validationActions: random.pick([['Audit'], ['Warn', 'Audit']]) }),
  },
  5: {
    spec: (random) => ({
      failurePolicy: random.pick(['Fail', 'Ignore']),
      validations: [{ expression: random.pick(failing) }],
    }),
    binding: (random) => ({ validationActions: random.pick([['Warn'], ['Audit']]) }),
  },
  // A parameter of the request's namespace; objects of the cluster have none.
  8: {
    spec: () => ({
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        {
          expression: 'false',
          messageExpression: "params == null ? 'no parameter' : 'most are ' + params.data.most",
        },
      ],
    }),
    binding: (random) => ({
      paramRef: {
        ...random.pick([{ name: 'limits' }, { selector: { matchLabels: { kind: 'limits' } } }]),
        parameterNotFoundAction: random.pick(['Allow', 'Deny']),
      },
    }),
  },
};

/** The parameters of policies. */
export const parameters: readonly KubernetesObject[] = ['default', 'shop'].map(
  (namespace, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limits', namespace, labels: { kind: 'limits' } },
    data: { most: String(index) },
  }),
);

const operationSets: readonly (readonly string[])[] = [['*'], ['CREATE', 'UPDATE'], ['DELETE']];

const apiVersion = 'admissionregistration.k8s.io/v1';

function constraints(random: Random, operations: readonly string[]): object {
  return {
    resourceRules: [
      { apiGroups: random.pick(groups), apiVersions: ['*'], operations, resources: ['*'] },
    ],
    ...random.some({
      namespaceSelector: [
        0.3,
        () => ({
          matchExpressions: [{ key: 'team', operator: random.pick(['Exists', 'DoesNotExist']) }],
        }),
      ],
      objectSelector: [
        0.2,
        () => ({
          matchExpressions: [{ key: 'app', operator: random.pick(['Exists', 'DoesNotExist']) }],
        }),
      ],
    }),
  };
}

function validating(random: Random, number: number): readonly KubernetesObject[] {
  const name = `p${String(number).padStart(3, '0')}`;
  const denial = denials[number];
  const special = denial === undefined ? specialForms[number % 16] : undefined;
  const fact = random.pick(facts);
  const operations = denial === undefined ? random.pick(operationSets) : ['*'];
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: constraints(random, operations),
    // A server shortens long lists of warnings: a quarter of the policies match each request.
    matchConditions: [
      { name: 'share', expression: `size(request.?name.orValue('')) % 4 == ${number % 4}` },
    ],
    variables: [{ name: 'fact', expression: `string(${fact})` }],
    validations: [
      denial !== undefined
        ? {
            expression: `(object == null ? oldObject : object).metadata.?labels['app'].orValue('') != '${denial.app}'`,
            messageExpression: 'variables.fact',
            ...(denial.reason === undefined ? {} : { reason: denial.reason }),
          }
        : { expression: 'false', messageExpression: "'it is ' + variables.fact" },
    ],
    ...special?.spec(random),
  };
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: [denial === undefined ? 'Warn' : 'Deny'],
        ...special?.binding(random),
      },
    },
  ];
}

function mutating(random: Random, number: number): readonly KubernetesObject[] {
  const name = `m${String(number).padStart(3, '0')}`;
  const fact = random.pick(seenFacts);
  const spec = {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    matchConstraints: constraints(random, ['CREATE', 'UPDATE']),
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: {
          expression: `Object{metadata: Object.metadata{annotations: {'example.com/${name}-' + string(size(${fact})): 'seen'}}}`,
        },
      },
    ],
  };
  return [
    { apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name }, spec },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    },
  ];
}
