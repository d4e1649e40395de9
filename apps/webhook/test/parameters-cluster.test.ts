import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { ownDefinitions } from './harness/definitions.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const native = '/apis/admissionregistration.k8s.io/v1';

let cluster: TestCluster;
let webhook: TestWebhook;

// The rules of chart/templates/permissions.yaml, without Secrets.
const rules = [
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['*'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
];

beforeAll(async () => {
  cluster = await startCluster();
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await cluster.create(accounts, {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'webhook' } },
  });
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'webhook' } };
  await cluster.create(`${rbac}/clusterroles`, { ...role, kind: 'ClusterRole', rules });
  await cluster.create(`${rbac}/clusterrolebindings`, {
    ...{ ...role, kind: 'ClusterRoleBinding' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'webhook' },
    subjects: [{ kind: 'ServiceAccount', name: 'webhook', namespace: 'default' }],
  });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status } = await cluster.create(`${accounts}/webhook/token`, request);
  const { token } = status as { readonly token: string };
  const limited = `${cluster.kubeconfig}-limited`;
  const text = readFileSync(cluster.kubeconfig, 'utf8')
    .replace(/client-certificate-data: .*/, `token: ${token}`)
    .replace(/ *client-key-data: .*\n/, '');
  writeFileSync(limited, text);
  webhook = await startWebhook({}, ['--kubeconfig', limited, '--log-allows', '0']);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

async function denial(namespace = 'shop'): Promise<string> {
  const review = configMapReview({ request: { namespace } });
  const { body } = await webhook.ask('/validate', review);
  const { status } = body['response'] as { readonly status?: { readonly message: string } };
  return status?.message ?? '';
}

function policy(name: string, kind: string, failurePolicy = 'Fail'): readonly object[] {
  const spec = {
    failurePolicy,
    paramKind: { apiVersion: 'v1', kind },
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
      ],
    },
    validations: [
      { expression: "params.data.a == 'x'", messageExpression: 'string(params.data.a)' },
    ],
  };
  const paramRef = { name: 'limits', parameterNotFoundAction: 'Allow' };
  const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } };
  return [
    { ...head, kind: 'ValidatingAdmissionPolicy', spec },
    {
      ...head,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: name, paramRef, validationActions: ['Deny'] },
    },
  ];
}

async function create(objects: readonly object[]): Promise<void> {
  const [one, other] = objects;
  const paths = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
  expect(await cluster.create(`${native}/${paths[0]}`, one ?? {})).not.toHaveProperty('code');
  expect(await cluster.create(`${native}/${paths[1]}`, other ?? {})).not.toHaveProperty('code');
}

test('distinguishes parameters with the same name in several namespaces', async () => {
  for (const namespace of ['shop', 'office']) {
    const metadata = { name: namespace };
    await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    await cluster.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits' } },
      data: { a: `of ${namespace}` },
    });
  }
  await create(policy('twins', 'ConfigMap'));
  await expect.poll(() => denial('shop')).toMatch(/: of shop$/);
  expect(await denial('office')).toMatch(/: of office$/);
  await cluster.ask(`${native}/validatingadmissionpolicies/twins`, { method: 'DELETE' });
  await expect.poll(() => denial('shop')).toBe('');
});

test('reports a policy whose parameters may not be read, without blocking requests', async () => {
  await create(policy('ignored', 'ServiceAccount', 'Ignore'));
  await create(policy('unreadable', 'Secret'));
  await expect
    .poll(() => denial())
    .toBe(
      "ValidatingAdmissionPolicy 'unreadable' denied request: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Secret'",
    );
  const { code, text } = await webhook.read('/readyz?verbose');
  expect(code).toBe(200);
  expect(text).toMatch(/\[!\]watches degraded: .*\/api\/v1\/secrets: .*forbidden/);
  await cluster.ask(`${native}/validatingadmissionpolicies/unreadable`, { method: 'DELETE' });
  await expect.poll(() => denial()).toBe('');
});

// An author of policies may write these: the first kind cannot be listed, the path of the second is a page that is
// not JSON.
test.each([
  [native, { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' }],
  ['/apis/policies.kubeadmit.dev/v1', { apiVersion: '../../metrics', kind: 'Metric' }],
])(
  'a policy of %s with the parameter kind %j keeps no other policy from acting',
  async (group, paramKind) => {
    for (const definition of ownDefinitions()) {
      await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    }
    const path = `${group}/validatingadmissionpolicies`;
    const [hostile] = policy('hostile', 'Secret') as readonly { readonly spec: object }[];
    const made = { ...hostile, apiVersion: group.slice('/apis/'.length) };
    const object = { ...made, spec: { ...hostile?.spec, paramKind } };
    await expect.poll(() => cluster.create(path, object)).not.toHaveProperty('code');
    const others = `${native}/validatingadmissionpolicies`;
    onTestFinished(async () => {
      await cluster.ask(`${path}/hostile`, { method: 'DELETE' });
      await cluster.ask(`${others}/others`, { method: 'DELETE' });
      await cluster.ask(`${others.replace('policies', 'policybindings')}/others`, {
        method: 'DELETE',
      });
    });
    await create(policy('others', 'ConfigMap'));
    const other = await startWebhook({}, ['--kubeconfig', cluster.kubeconfig]);
    onTestFinished(() => other.stop());
    const denied = async (): Promise<unknown> => {
      const { body } = await other.ask(
        '/validate',
        configMapReview({ request: { namespace: 'shop' } }),
      );
      return JSON.stringify(body);
    };
    await expect.poll(denied, { timeout: 15_000 }).toContain('of shop');
  },
  40_000,
);
