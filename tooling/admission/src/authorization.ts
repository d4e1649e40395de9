import type { Random } from '@kubeadmit/random';
import { samples } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { applyMutation, coreRule, mutatingPolicy, validatingPolicy } from './parts.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Roles, bindings and a policy that queries the permissions of users. */
export function authorizationCase(random: Random): JsonObject {
  const pods = samples.find(({ resource }) => resource === 'pods');
  const { group, version, resource } = pods ?? { group: '', version: 'v1', resource: 'pods' };
  return {
    resources: [
      role(random, 'ClusterRole', 'r1'),
      role(random, 'ClusterRole', 'r2'),
      role(random, 'Role', 'r1', 'default'),
      role(random, 'Role', 'r2', 'kube'),
      ...(random.chance(0.5) ? [binding(random, 'ClusterRoleBinding', 'c0')] : []),
      ...random.list(0, 2, (index) =>
        binding(random, 'RoleBinding', `b${index}`, index === 0 ? 'default' : 'kube'),
      ),
      ...policy(random),
    ],
    request: {
      uid: 'u',
      kind: { group, version, kind: 'Pod' },
      resource: { group, version, resource },
      operation: 'CREATE',
      name: random.pick(['web', 'a']),
      namespace: random.pick(['default', 'kube']),
      object: pods?.object,
      userInfo: random.pick<JsonObject>([
        { username: 'alice' },
        { username: 'bob', groups: ['g'] },
        { username: 'system:serviceaccount:default:sa' },
        { username: 'root', groups: ['system:masters'] },
      ]),
      ...random.some({ subResource: [0.2, () => 'status'] }),
    },
  };
}

function check(random: Random): string {
  const account = `serviceAccount('${random.pick(['default', 'kube', 'A b'])}', '${random.pick(['sa', 'x', 'B b'])}')`;
  const asker = random.pick(['authorizer', 'authorizer', `authorizer.${account}`]);
  const verb = `.check('${random.pick(['get', 'list', 'create', '*', ''])}')`;
  if (random.chance(0.25)) {
    return `${asker}.path('${random.pick(['/healthz', '/metrics/x', '', '/a/b'])}')${verb}`;
  }
  if (random.chance(0.15)) return `authorizer.requestResource${verb}`;
  const parts: readonly (readonly [string, number, readonly string[]])[] = [
    ['subresource', 0.3, ['status', 'scale', 'log']],
    ['namespace', 0.4, ['default', 'kube', '']],
    ['name', 0.4, ['web', 'a']],
    ['fieldSelector', 0.15, ['spec.nodeName=a', 'a']],
    ['labelSelector', 0.15, ['a=b', 'a in (', '!x']],
  ];
  const chosen = parts
    .filter(([, probability]) => random.chance(probability))
    .map(([name, , values]) => `.${name}('${random.pick(values)}')`);
  const resource = `.resource('${random.pick(['pods', 'deployments', 'secrets', ''])}')`;
  return `${asker}.group('${random.pick(['', 'apps', 'x'])}')${resource}${chosen.join('')}${verb}`;
}

function text(random: Random): string {
  const part = random.pick(['.allowed()', '.errored()', '.error()']);
  return `${check(random)}.reason() + '|' + string(${check(random)}${part})`;
}

function role(random: Random, kind: string, name: string, namespace?: string): JsonObject {
  const rule = (): JsonObject => {
    if (random.chance(0.25)) {
      const url = random.pick(['/healthz', '/metrics/*', '*', '/a*']);
      return { nonResourceURLs: [url], verbs: [random.pick(['get', '*'])] };
    }
    return {
      apiGroups: [random.pick(['', 'apps', '*'])],
      resources: [random.pick(['pods', 'deployments', '*', 'pods/status', '*/scale', 'secrets'])],
      verbs: [random.pick(['get', 'list', 'create', '*'])],
      ...random.some({ resourceNames: [0.3, () => ['web']] }),
    };
  };
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules: random.list(0, 3, rule),
  };
}

const subjects: readonly JsonObject[] = [
  { kind: 'User', name: 'alice', apiGroup: rbac },
  { kind: 'Group', name: 'g', apiGroup: rbac },
  { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
  { kind: 'ServiceAccount', name: 'x' },
  { kind: 'Group', name: 'system:serviceaccounts', apiGroup: rbac },
];

function binding(random: Random, kind: string, name: string, namespace?: string): JsonObject {
  const isCluster = kind === 'ClusterRoleBinding' || random.chance(0.4);
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    subjects: random.list(0, 2, () => random.pick(subjects)),
    roleRef: {
      apiGroup: rbac,
      kind: isCluster ? 'ClusterRole' : 'Role',
      name: random.pick(['r1', 'r2', 'none']),
    },
  };
}

function policy(random: Random): JsonObject[] {
  const matchConstraints = coreRule(['pods', 'pods/*'], ['*']);
  const spec = {
    matchConstraints,
    variables: [{ name: 'v', expression: text(random) }],
    validations: [
      { expression: "variables.v == ''", messageExpression: random.pick(["'x'", 'variables.v']) },
      { expression: `${check(random)}.allowed()` },
    ],
    auditAnnotations: [
      { key: 'k', valueExpression: random.pick(["'a'", "'a'", `${check(random)}.reason()`]) },
    ],
    matchConditions: [
      { name: 'c', expression: random.pick(['true', `${check(random)}.allowed() || true`]) },
    ],
  };
  const reason = `Object{metadata: Object.metadata{annotations: {'r': ${text(random)}}}}`;
  const mutations = [applyMutation(reason)];
  const mutating = {
    matchConstraints,
    mutations,
    reinvocationPolicy: 'Never',
    failurePolicy: 'Ignore',
  };
  return [
    ...validatingPolicy('v', spec, { validationActions: ['Audit'] }),
    ...mutatingPolicy('m', mutating),
  ];
}
