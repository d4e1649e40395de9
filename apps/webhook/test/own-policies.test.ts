import { sendRequest } from '@kubeadmit/test-support';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { webhookConfigurations } from './harness/configurations.ts';
import { ownDefinitions } from './harness/definitions.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const native = 'admissionregistration.k8s.io';
const own = 'policies.kubeadmit.dev';

let cluster: TestCluster;
let webhook: TestWebhook;

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of ownDefinitions()) {
    await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object);
  }
  webhook = await startWebhook(
    {},
    [
      ...['--kubeconfig', cluster.kubeconfig, '--no-native-policies', '--log-allows', '0'],
      ...['--webhook-configuration', 'kubeadmit'],
    ],
    ['--certificate-secret', 'default/tls'],
  );
  const configurations = webhookConfigurations('kubeadmit', webhook.port, {
    resources: ['*/*'],
    groups: [own],
  });
  for (const { path, object } of configurations) {
    expect(await cluster.create(path, object)).not.toHaveProperty('code');
  }
  const probe = {
    ...of(own, binding({ policyName: 'x', validationActions: ['Deny', 'Warn'] })),
    metadata: { name: 'probe' },
  };
  const path = `/apis/${own}/v1/validatingadmissionpolicybindings?dryRun=All`;
  const taken = async (): Promise<void> => {
    // Only the webhook refuses it, once it is trusted and asked.
    expect(await cluster.create(path, probe)).toMatchObject({ code: 422 });
  };
  await vi.waitFor(taken, { timeout: 60_000, interval: 200 });
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

const constraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
  ],
};

function policy(spec: object): object {
  return { kind: 'ValidatingAdmissionPolicy', spec: { matchConstraints: constraints, ...spec } };
}

function mutation(expression: string, patchType = 'ApplyConfiguration'): object {
  const key = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  return {
    kind: 'MutatingAdmissionPolicy',
    spec: {
      matchConstraints: constraints,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType, [key]: { expression } }],
    },
  };
}

function binding(spec: object): object {
  return { kind: 'ValidatingAdmissionPolicyBinding', spec };
}

function of(group: string, object: object, name = 'policy'): object {
  return { apiVersion: `${group}/v1`, metadata: { name }, ...object };
}

function pathOf(group: string, object: object): string {
  const { kind } = object as { readonly kind: string };
  const plural = kind.endsWith('Binding') ? `${kind}s` : kind.replace(/y$/, 'ies');
  return `/apis/${group}/v1/${plural.toLowerCase()}`;
}

const create = (group: string, object: object, name?: string): Promise<ApiObject> =>
  cluster.create(pathOf(group, object), of(group, object, name));

// The webhook's own words are the native ones but for the group, and who says so.
function comparable(answer: ApiObject): ApiObject {
  const text = String(answer['message'])
    .replace(/^admission webhook "validate\.kubeadmit\.dev" denied the request: /, '')
    .replaceAll(own, native);
  return { code: answer['code'], message: text };
}

describe('an object that kube-apiserver would refuse is refused on creation with the same message', () => {
  test.each([
    ['an expression that does not parse', policy({ validations: [{ expression: 'a +' }] })],
    ['an expression of another type', policy({ validations: [{ expression: '1' }] })],
    ['an unknown name', policy({ validations: [{ expression: 'objekt.a == 1' }] })],
    [
      'a cost that is too high',
      policy({
        validations: [
          {
            expression:
              'object.metadata.labels.all(a, object.metadata.labels.all(b, a == b || params.x == 1))',
          },
        ],
      }),
    ],
    ['no validations', policy({ validations: [] })],
    ['an empty match', policy({ matchConstraints: {}, validations: [{ expression: 'true' }] })],
    ['a mutation of another type', mutation('{"a": 1}')],
    ['a patch of another type', mutation('Object{}', 'JSONPatch')],
    ['a binding without actions', binding({ policyName: 'policy' })],
    [
      'a binding with actions that contradict each other',
      binding({ policyName: 'policy', validationActions: ['Deny', 'Warn'] }),
    ],
    [
      'a binding with a wrong parameter',
      binding({ policyName: 'a', paramRef: { name: 'a' }, validationActions: ['Deny'] }),
    ],
  ])('%s', async (_, object) => {
    const [expected, given] = [await create(native, object), await create(own, object)];
    expect(expected['code']).toBe(422);
    expect(comparable(given)).toEqual(comparable(expected));
  });
});

describe('an author may use the parameters that he may read, in the words of kube-apiserver', () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';

  const grant = async (name: string, rules: readonly object[]): Promise<void> => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await cluster.create(`${rbac}/clusterroles`, { metadata: { name }, rules });
    await cluster.create(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef,
      subjects: [{ ...roleRef, kind: 'User', name }],
    });
  };
  const createAs = async (name: string, group: string, object: object): Promise<ApiObject> => {
    const path = `${pathOf(group, object)}?dryRun=All`;
    const headers = { 'content-type': 'application/json', 'impersonate-user': name };
    const answer = await sendRequest(
      `${cluster.url}${path}`,
      { method: 'POST', headers, ...cluster.credentials },
      JSON.stringify(of(group, object, 'tried')),
    );
    const { kind, message } = JSON.parse(answer.body.toString('utf8')) as ApiObject;
    return kind === 'Status' ? { code: answer.code, message } : { code: answer.code };
  };

  const writer = { verbs: ['create'], apiGroups: [native, own], resources: ['*'] };
  const reader = { apiGroups: [''], resources: ['configmaps'] };
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [{ expression: 'true' }];
  const bound = (policyName: string, paramRef: object): object =>
    binding({
      policyName,
      paramRef: { parameterNotFoundAction: 'Deny', ...paramRef },
      validationActions: ['Deny'],
    });
  const named = { name: 'secret', namespace: 'kube-system' };

  beforeAll(async () => {
    await grant('nothing', [writer]);
    await grant('get', [writer, { ...reader, verbs: ['get'] }]);
    await grant('list', [writer, { ...reader, verbs: ['get', 'list'] }]);
    for (const group of [native, own]) {
      await create(group, policy({ paramKind, validations }), 'with-parameters');
    }
    const followed = async (): Promise<void> => {
      const answer = await createAs('get', own, bound('with-parameters', named));
      expect(answer).toEqual({ code: 201 });
    };
    await vi.waitFor(followed, { timeout: 30_000, interval: 200 });
  });

  test.each([
    ['a policy', policy({ paramKind, validations }), [422, 201, 201]],
    ['a policy without parameters', policy({ validations }), [201, 201, 201]],
    ['a binding to one object', bound('with-parameters', named), [422, 201, 201]],
    ['a binding to selected objects', bound('with-parameters', { selector: {} }), [422, 422, 201]],
    ['a binding of an unknown policy', bound('missing', named), [422, 422, 422]],
  ])('%s', async (_, object, allowed) => {
    const codes: unknown[] = [];
    for (const user of ['nothing', 'get', 'list']) {
      const expected = await createAs(user, native, object);
      expect(comparable(await createAs(user, own, object))).toEqual(comparable(expected));
      codes.push(expected['code']);
    }
    expect(codes).toEqual(allowed);
  });
});

test('a valid object is accepted, and a change that breaks it is refused', async () => {
  const right = policy({ validations: [{ expression: 'object.metadata.name != "a"' }] });
  expect(await create(own, right, 'changed')).not.toHaveProperty('code');
  const body = JSON.stringify({ spec: { validations: [{ expression: 'object.' }] } });
  const answer = await cluster.ask(`${pathOf(own, right)}/changed`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body,
  });
  expect(answer['code']).toBe(422);
  expect(answer['message']).toContain(
    `ValidatingAdmissionPolicy.${own} "changed" is invalid: spec.validations[0].expression: Invalid value`,
  );
});

test('writes type warnings into the status, and removes them after a fix', async () => {
  const deployments = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const matchConstraints = { resourceRules: [{ ...deployments, operations: ['CREATE'] }] };
  const wrong = policy({ matchConstraints, validations: [{ expression: 'object.spec.x == 1' }] });
  await create(own, wrong, 'typed');
  const path = `${pathOf(own, wrong)}/typed`;
  await expect
    .poll(async () => (await cluster.ask(path))['status'])
    .toMatchObject({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[0].expression',
            warning: expect.stringContaining("undefined field 'x'"),
          },
        ],
      },
    });
  const body = JSON.stringify({
    spec: { validations: [{ expression: 'object.spec.replicas == 1' }] },
  });
  const contentType = 'application/merge-patch+json';
  await cluster.ask(path, { method: 'PATCH', contentType, body });
  await expect
    .poll(async () => (await cluster.ask(path))['status'])
    .toEqual({ observedGeneration: 2, typeChecking: {} });
});
