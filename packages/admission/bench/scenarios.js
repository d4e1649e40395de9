// The measured cases of `admit` of the machine interface, by name.

import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const podSecurity = read('pod-security.json');
const { pod, settings } = read('objects.json');

const group = 'admissionregistration.k8s.io';
const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', labels: { team: 'search', tier: 'production' } },
};
const { metadata, spec } = pod;
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: metadata.labels },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: metadata.labels }, spec },
  },
};

function rule(resource) {
  const [apiGroups, name] = resource === 'deployments' ? [['apps'], resource] : [[''], resource];
  return { apiGroups, apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [name] };
}

function policy(kind, { name, resource, spec: own, binding = {} }) {
  const actions = kind.startsWith('Validating') ? { validationActions: ['Deny'] } : {};
  return [
    {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name },
      spec: {
        ...(kind.startsWith('Mutating') ? { reinvocationPolicy: 'Never' } : {}),
        ...own,
        matchConstraints: { resourceRules: [rule(resource)] },
      },
    },
    {
      apiVersion: `${group}/v1`,
      kind: `${kind}Binding`,
      metadata: { name },
      spec: { policyName: name, ...actions, ...binding },
    },
  ];
}

const validating = (options) => policy('ValidatingAdmissionPolicy', options);
const mutating = (options) => policy('MutatingAdmissionPolicy', options);

function podPolicies(count) {
  return podSecurity
    .slice(0, count)
    .flatMap(({ name, ...own }) => validating({ name, resource: 'pods', spec: own }));
}

/** Policies about other resources than pods. */
function otherPolicies(count) {
  return Array.from({ length: count }, (_, index) => {
    const { name, ...own } = podSecurity[index % podSecurity.length];
    return validating({ name: `other-${index}-${name}`, resource: `kind${index}s`, spec: own });
  }).flat();
}

function request(object, resource) {
  const isDeployment = resource === 'deployments';
  return {
    uid: '0b4f',
    kind: { group: isDeployment ? 'apps' : '', version: 'v1', kind: object.kind },
    resource: { group: isDeployment ? 'apps' : '', version: 'v1', resource },
    name: object.metadata.name,
    namespace: 'shop',
    operation: 'CREATE',
    userInfo: { username: 'alice', groups: ['developers', 'system:authenticated'] },
    object,
    options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
  };
}

const ofPod = request(pod, 'pods');
const ofDeployment = request(deployment, 'deployments');

const rbac = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'deployer' },
    rules: [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'deployers', namespace: 'shop' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'deployer',
    },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'developers' }],
  },
];

const sidecar = `Object{
  spec: Object.spec{
    template: Object.spec.template{
      spec: Object.spec.template.spec{
        containers: [Object.spec.template.spec.containers{
          name: 'audit',
          image: 'registry.example.com/audit:1',
          env: [Object.spec.template.spec.containers.env{name: 'SINK', value: 'loki'}]
        }]
      }
    }
  }
}`;
const labels = `Object{
  metadata: Object.metadata{
    labels: {'team': namespaceObject.metadata.labels['team'], 'managed': 'true'}
  }
}`;
const labelPatch = `[
  JSONPatch{op: 'test', path: '/spec/replicas', value: 3},
  JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 1},
  JSONPatch{
    op: 'add',
    path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/tier'),
    value: namespaceObject.metadata.labels['tier']
  }
]`;

function mutation(name, patchType, expression) {
  const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  return mutating({
    name,
    resource: 'deployments',
    spec: { failurePolicy: 'Fail', mutations: [{ patchType, [field]: { expression } }] },
  });
}

/** The scenarios, each with the resources of its cluster and its request. */
export const scenarios = {
  '1 policy': { resources: [namespace, ...podPolicies(1)], request: ofPod },
  '16 pod-security policies': { resources: [namespace, ...podPolicies(16)], request: ofPod },
  '10 policies': { resources: [namespace, ...podPolicies(10)], request: ofPod },
  '10 of 10,000 policies': {
    resources: [namespace, ...podPolicies(10), ...otherPolicies(9990)],
    request: ofPod,
  },
  parameters: {
    resources: [
      namespace,
      settings,
      ...validating({
        name: 'replicas',
        resource: 'deployments',
        binding: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          validations: [
            { expression: 'object.spec.replicas <= int(params.data.maxReplicas)' },
            {
              expression:
                'object.spec.template.spec.containers.all(c, c.image.startsWith(params.data.registry))',
            },
          ],
        },
      }),
    ],
    request: ofDeployment,
  },
  authorizer: {
    resources: [
      namespace,
      ...rbac,
      ...validating({
        name: 'may-scale',
        resource: 'deployments',
        spec: {
          validations: [
            {
              expression:
                "authorizer.group('apps').resource('deployments').subresource('scale').namespace(request.namespace).check('update').allowed()",
            },
          ],
        },
      }),
    ],
    request: ofDeployment,
  },
  'apply configuration: labels': {
    resources: [namespace, ...mutation('labels', 'ApplyConfiguration', labels)],
    request: ofDeployment,
  },
  'apply configuration: sidecar': {
    resources: [namespace, ...mutation('sidecar', 'ApplyConfiguration', sidecar)],
    request: ofDeployment,
  },
  'JSON patch': {
    resources: [namespace, ...mutation('patch', 'JSONPatch', labelPatch)],
    request: ofDeployment,
  },
};
