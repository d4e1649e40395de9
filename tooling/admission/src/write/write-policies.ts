import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import type { Fields } from './pods.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const pods = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
};
const everything = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
  operations: ['CREATE', 'UPDATE'],
};

/** Validating policies about fields that the default plugins set: a name and the expression that must be true. */
const validations: Readonly<
  Record<string, readonly [rule: Fields, expression: string, message: string]>
> = {
  limits: [
    pods,
    "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'cpu' in c.resources.limits)",
    "'limits: ' + object.spec.containers.map(c, c.name + (has(c.resources) && has(c.resources.limits) ? c.resources.limits.map(k, k + '=' + string(c.resources.limits[k])).sort().join(' ') : '-')).join(', ')",
  ],
  tolerations: [
    pods,
    '!has(object.spec.tolerations) || object.spec.tolerations.size() < 4',
    "'tolerations: ' + object.spec.tolerations.map(t, t.?key.orValue('*') + '/' + string(t.?tolerationSeconds.orValue(-1))).join(', ')",
  ],
  priority: [
    pods,
    '!has(object.spec.priority) || object.spec.priority <= 10',
    "'priority ' + string(object.spec.priority) + ' ' + object.spec.?preemptionPolicy.orValue('-')",
  ],
  volumes: [
    pods,
    '!has(object.spec.volumes) || object.spec.volumes.size() <= 2',
    "'volumes: ' + string(object.spec.volumes.size()) + ', account ' + object.spec.?serviceAccountName.orValue('-')",
  ],
  annotations: [
    everything,
    "!has(object.metadata.annotations) || !('kubernetes.io/limit-ranger' in object.metadata.annotations)",
    "string(object.metadata.annotations['kubernetes.io/limit-ranger'])",
  ],
  finalizers: [
    everything,
    '!has(object.metadata.finalizers) || object.metadata.finalizers.size() == 0',
    "'finalizers: ' + object.metadata.finalizers.join(', ')",
  ],
};

const mutations: Readonly<Record<string, readonly [rule: Fields, mutation: Fields]>> = {
  'set-label': [
    everything,
    applied("Object{metadata: Object.metadata{labels: {'policy': 'seen'}}}"),
  ],
  'set-limit': [
    pods,
    applied(
      "Object{spec: Object.spec{containers: object.spec.containers.filter(c, !has(c.resources) || !has(c.resources.limits)).map(c, Object.spec.containers{name: c.name, resources: Object.spec.containers.resources{limits: {'cpu': '2'}}})}}",
    ),
  ],
  'count-tolerations': [
    pods,
    applied(
      "Object{metadata: Object.metadata{annotations: {'example.com/tolerations': string(object.spec.?tolerations.orValue([]).size())}}}",
    ),
  ],
  'add-sidecar': [
    pods,
    {
      patchType: 'JSONPatch',
      jsonPatch: {
        expression:
          "object.spec.containers.exists(c, c.name == 'sidecar') ? [] : [JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'sidecar', image: 'sidecar:1'}}]",
      },
    },
  ],
};

function applied(expression: string): Fields {
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
}

/**
 * Makes some policies of either kind with their bindings. A server evaluates policies in no fixed order, so that at most
 * one denies, one warns, and one changes pods.
 */
export function makePolicies(random: Random): readonly KubernetesObject[] {
  const chosen = random.chance(0.5) ? random.pick(Object.keys(validations)) : undefined;
  const other = random.chance(0.3) ? random.pick(Object.keys(validations)) : undefined;
  const mutation = random.chance(0.4) ? random.pick(podMutations) : undefined;
  return [
    ...(chosen === undefined ? [] : validating(random, chosen, 'Warn')),
    ...(other === undefined || other === chosen ? [] : validating(random, other, 'Deny')),
    ...(mutation === undefined ? [] : mutating(random, mutation)),
    ...(random.chance(0.15) ? mutating(random, 'set-label') : []),
  ];
}

const podMutations = ['set-limit', 'count-tolerations', 'add-sidecar'] as const;

function validating(
  random: Random,
  name: string,
  action: 'Warn' | 'Deny',
): readonly KubernetesObject[] {
  const [rule, expression, messageExpression] = validations[name] as (typeof validations)[string];
  const spec = {
    failurePolicy: random.pick(['Fail', 'Ignore']),
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression, messageExpression }],
  };
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: [action] },
    },
  ];
}

function mutating(random: Random, name: string): readonly KubernetesObject[] {
  const [rule, mutation] = mutations[name] as (typeof mutations)[string];
  const spec = {
    failurePolicy: random.pick(['Fail', 'Ignore']),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    // A change of an existing pod's containers is invalid.
    matchConstraints: { resourceRules: [{ ...rule, operations: ['CREATE'] }] },
    mutations: [mutation],
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
