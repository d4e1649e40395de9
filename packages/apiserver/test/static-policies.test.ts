import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Answer } from '@kubeadmit/apiserver-tools';
import { expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

// The verdicts and texts are those of kube-apiserver 1.37.1 with the same policies in its `staticManifestsDir`.

const group = '/apis/admissionregistration.k8s.io/v1';

function policy(name: string, spec: object): KubernetesObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec,
  };
}

function bindingOf(policyName: string): KubernetesObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policyName },
    spec: { policyName, validationActions: ['Deny'] },
  };
}

function rule(apiGroup: string, resource: string): object {
  return {
    apiGroups: [apiGroup],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: [resource],
  };
}

const guard = policy('guard.static.k8s.io', {
  matchConstraints: {
    resourceRules: [rule('admissionregistration.k8s.io', '*'), rule('', 'secrets')],
  },
  validations: [{ expression: "object.metadata.name != 'locked'", message: 'locked' }],
});

const file = (object: KubernetesObject) => ({ file: '/policies/a.yaml', object });
const guarded = [guard, bindingOf('guard.static.k8s.io')].map(file);

async function startGuarded() {
  const { ask, server } = await startLocalServer();
  expect(server.useStaticManifests(guarded)).toEqual([]);
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const text = JSON.stringify(body);
    const answer: Answer = await ask({ method: 'POST', path, headers, as: 'admin', body: text });
    return answer.status < 300 ? answer.status : [answer.status, messageOf(answer)];
  };
  const secret = (name: string): Promise<unknown> =>
    post('/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
    });
  return { server, post, secret };
}

function messageOf({ text }: Answer): unknown {
  return (JSON.parse(text) as { readonly message?: unknown }).message;
}

const denied = (resource: string): string =>
  `${resource} "locked" is forbidden: ValidatingAdmissionPolicy 'guard.static.k8s.io' with binding 'guard.static.k8s.io' denied request: locked`;

test('policies of the own disk see requests about policies, which stored ones do not', async () => {
  const { post } = await startGuarded();
  const stored = (name: string): KubernetesObject =>
    policy(name, {
      matchConstraints: {
        resourceRules: [rule('admissionregistration.k8s.io', '*'), rule('', 'secrets')],
      },
      validations: [{ expression: 'false' }],
    });
  const policies = `${group}/validatingadmissionpolicies`;
  expect(await post(policies, stored('locked'))).toEqual([
    422,
    denied('validatingadmissionpolicies.admissionregistration.k8s.io'),
  ]);
  expect(await post(policies, stored('free'))).toBe(201);
  expect(await post(`${group}/validatingadmissionpolicybindings`, bindingOf('free'))).toBe(201);
  expect(await post(policies, stored('another'))).toBe(201);
});

test('run before stored policies, and are not objects of the API', async () => {
  const { post, secret } = await startGuarded();
  const refusal = policy('free', {
    matchConstraints: { resourceRules: [rule('', 'secrets')] },
    validations: [{ expression: 'false', message: 'stored' }],
  });
  await post(`${group}/validatingadmissionpolicies`, refusal);
  await post(`${group}/validatingadmissionpolicybindings`, bindingOf('free'));
  expect(await secret('locked')).toEqual([422, denied('secrets')]);
  expect(await secret('other')).toEqual([
    422,
    `secrets "other" is forbidden: ValidatingAdmissionPolicy 'free' with binding 'free' denied request: stored`,
  ]);
});

test('reports an invalid policy, and keeps the previous ones', async () => {
  const { server, secret } = await startGuarded();
  const [problem] = server.useStaticManifests([file(bindingOf('gone.static.k8s.io'))]);
  expect(problem?.message).toBe(
    'binding "gone.static.k8s.io" references policy "gone.static.k8s.io" which does not exist in the manifest directory',
  );
  expect(await secret('locked')).toEqual([422, denied('secrets')]);
  expect(server.useStaticManifests([])).toEqual([]);
  expect(await secret('locked')).toBe(201);
});
