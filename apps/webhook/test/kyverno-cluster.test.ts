import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { kyvernoDefinitions } from './harness/definitions.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusterPolicies = '/apis/kyverno.io/v1/clusterpolicies';
const kinds = { any: [{ resources: { kinds: ['ConfigMap'] } }] };

let cluster: TestCluster;
let webhook: TestWebhook;

interface RuleParts {
  readonly match?: object;
  readonly context?: readonly object[];
  readonly preconditions?: object;
  readonly validate: object;
}

function clusterPolicy(name: string, rule: RuleParts): object {
  const rules = [{ name: 'rule', match: kinds, ...rule }];
  const spec = { background: false, rules };
  return { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name }, spec };
}

const enforced = (message: string, team: string): object => ({
  failureAction: 'Enforce',
  message,
  pattern: { metadata: { labels: { team } } },
});

async function denial(
  parts: Parameters<typeof configMapReview>[0] = {},
  asked: TestWebhook = webhook,
): Promise<string> {
  const { body } = await asked.ask('/validate', configMapReview(parts));
  const { status } = body['response'] as { readonly status?: { readonly message: string } };
  return status?.message ?? '';
}

async function createException(namespace: string, policyName: string): Promise<void> {
  await cluster.create(`/apis/kyverno.io/v2/namespaces/${namespace}/policyexceptions`, {
    apiVersion: 'kyverno.io/v2',
    kind: 'PolicyException',
    metadata: { name: policyName.replace('/', '-'), namespace },
    spec: {
      exceptions: [{ policyName, ruleNames: ['rule'] }],
      match: { any: [{ resources: { kinds: ['ConfigMap'], names: ['settings'] } }] },
    },
  });
}

const until = (text: string): Promise<unknown> => expect.poll(() => denial()).toContain(text);

beforeAll(async () => {
  cluster = await startCluster();
  for (const object of kyvernoDefinitions()) await cluster.create(definitions, object);
  for (const name of ['shop', 'elsewhere']) {
    await cluster.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
  }
  webhook = await startWebhook({}, [
    ...['--kubeconfig', cluster.kubeconfig, '--log-allows', '0'],
    ...['--exception-namespace', 'shop'],
  ]);
});

afterAll(async () => {
  await webhook.stop();
  await cluster.stop();
});

test('a ClusterPolicy acts after it is created or changed, and not after it is deleted', async () => {
  const path = `${clusterPolicies}/team`;
  const policy = clusterPolicy('team', { validate: enforced('a team is required', '?*') });
  expect(await cluster.create(clusterPolicies, policy)).not.toHaveProperty('code');
  await until('team/rule: validation error: a team is required');
  const { spec } = clusterPolicy('team', { validate: enforced('the team is a', 'a') }) as {
    readonly spec: object;
  };
  const contentType = 'application/merge-patch+json';
  await cluster.ask(path, { method: 'PATCH', body: JSON.stringify({ spec }), contentType });
  await until('the team is a');
  await cluster.ask(path, { method: 'DELETE' });
  await expect.poll(() => denial()).toBe('');
});

test('a Policy applies in its namespace, except to objects of a PolicyException', async () => {
  const policy = {
    ...clusterPolicy('local', { validate: enforced('a team in shop', '?*') }),
    kind: 'Policy',
  };
  await cluster.create('/apis/kyverno.io/v1/namespaces/shop/policies', policy);
  await until('a team in shop');
  const object = { metadata: { name: 'settings', namespace: 'other' } };
  expect(await denial({ request: { namespace: 'other' }, object })).toBe('');
  await createException('shop', 'shop/local');
  await expect.poll(() => denial()).toBe('');
});

test('PolicyExceptions apply only in the namespace of --exception-namespace', async () => {
  const policy = clusterPolicy('guarded', { validate: enforced('a guarded team', '?*') });
  await cluster.create(clusterPolicies, policy);
  await until('a guarded team');
  await createException('elsewhere', 'guarded');
  const { kubeconfig } = cluster;
  const withNone = await startWebhook({}, ['--kubeconfig', kubeconfig]);
  const withAll = await startWebhook({}, [
    ...['--kubeconfig', kubeconfig, '--exception-namespace', '*'],
  ]);
  try {
    await expect.poll(() => denial({}, withAll)).toBe('');
    expect(await denial({}, withNone)).toContain('a guarded team');
    expect(await denial()).toContain('a guarded team');
    await createException('shop', 'guarded');
    await expect.poll(() => denial()).toBe('');
    expect(await denial({}, withNone)).toContain('a guarded team');
  } finally {
    await withNone.stop();
    await withAll.stop();
  }
  await cluster.ask(`${clusterPolicies}/guarded`, { method: 'DELETE' });
});

test.each([
  ['an exception of another --exception-namespace', ['--exception-namespace', 'elsewhere']],
  ['an exception without --exception-namespace', []],
])('a set of --state is restored without %s', async (_, options) => {
  const policy = clusterPolicy('restored', { validate: enforced('a restored team', '?*') });
  await cluster.create(clusterPolicies, policy);
  await createException('shop', 'restored');
  const state = folderUntil(onTestFinished);
  const all = ['--kubeconfig', cluster.kubeconfig, '--state', state];
  const first = await startWebhook({}, [...all, '--exception-namespace', 'shop']);
  await expect.poll(() => denial({}, first)).toBe('');
  await first.stop();
  // A file that cannot be read makes the set that was kept decide.
  const second = await startWebhook({ 'a.yaml': 'a: [' }, [...all, ...options]);
  try {
    const kept = readFileSync(join(state, 'last-good-set.json'), 'utf8');
    expect(kept).toContain('PolicyException');
    const code = async (): Promise<number> =>
      (await second.ask('/validate', configMapReview({}))).code;
    await expect.poll(code).toBe(200);
    expect(await denial({}, second)).toContain('a restored team');
  } finally {
    await second.stop();
    await cluster.ask(`${clusterPolicies}/restored`, { method: 'DELETE' });
    const exceptions = '/apis/kyverno.io/v2/namespaces/shop/policyexceptions';
    await cluster.ask(`${exceptions}/restored`, { method: 'DELETE' });
  }
});

test('rules find ConfigMaps of the cluster', async () => {
  const path = '/api/v1/namespaces/shop/configmaps';
  const teams = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'teams' } };
  await cluster.create(path, { ...teams, data: { allowed: 'blue' } });
  const rule = {
    context: [{ name: 'teams', configMap: { name: 'teams', namespace: 'shop' } }],
    validate: {
      failureAction: 'Enforce',
      message: 'the team is {{ teams.data.allowed }}',
      deny: { conditions: { all: [{ key: 'a', operator: 'Equals', value: 'a' }] } },
    },
  };
  await cluster.create(clusterPolicies, clusterPolicy('looking', rule));
  await until('the team is blue');
  const body = JSON.stringify({ data: { allowed: 'red' } });
  const contentType = 'application/merge-patch+json';
  await cluster.ask(`${path}/teams`, { method: 'PATCH', body, contentType });
  await until('the team is red');
  await cluster.ask(`${clusterPolicies}/looking`, { method: 'DELETE' });
  await expect.poll(() => denial()).toBe('');
});

test('rules with `validate.cel` find parameters of the cluster', async () => {
  const path = '/api/v1/namespaces/shop/limitranges';
  const limits = [{ type: 'Pod', max: { cpu: '1' } }];
  const parameter = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits' } };
  await cluster.create(path, { ...parameter, spec: { limits } });
  const cel = {
    paramKind: { apiVersion: 'v1', kind: 'LimitRange' },
    paramRef: { name: 'limits', namespace: 'shop', parameterNotFoundAction: 'Deny' },
    expressions: [{ expression: "params.metadata.name == 'x'", message: 'not the limits' }],
  };
  const rule = { validate: { failureAction: 'Enforce', cel } };
  const created = await cluster.create(clusterPolicies, clusterPolicy('limited', rule));
  expect(created).not.toHaveProperty('code');
  await expect.poll(() => denial(), { timeout: 15_000 }).toContain('not the limits');
  await cluster.ask(`${clusterPolicies}/limited`, { method: 'DELETE' });
  await expect.poll(() => denial()).toBe('');
});

// A tenant may write them: the first cannot be listed, the server refuses the second.
test.each(['/apis/authorization.k8s.io/v1/subjectaccessreviews', '/apis/%zz/v1/things'])(
  'a policy that reads %s keeps no other policy from acting',
  async (urlPath) => {
    const policies = '/apis/kyverno.io/v1/namespaces/elsewhere/policies';
    const context = [{ name: 'a', apiCall: { urlPath } }];
    const rule = { name: 'rule', match: kinds, context, validate: enforced('{{ a }}', 'x') };
    await cluster.create(policies, {
      apiVersion: 'kyverno.io/v1',
      kind: 'Policy',
      metadata: { name: 'tenant', namespace: 'elsewhere' },
      spec: { background: false, rules: [rule] },
    });
    onTestFinished(async () => {
      await cluster.ask(`${policies}/tenant`, { method: 'DELETE' });
      await cluster.ask(`${clusterPolicies}/other`, { method: 'DELETE' });
    });
    const other = await startWebhook({}, ['--kubeconfig', cluster.kubeconfig]);
    onTestFinished(() => other.stop());
    await cluster.create(
      clusterPolicies,
      clusterPolicy('other', { validate: enforced('others act', '?*') }),
    );
    await expect.poll(() => denial({}, other), { timeout: 15_000 }).toContain('others act');
  },
  40_000,
);

test("rules match by the roles of the cluster's bindings", async () => {
  const group = 'rbac.authorization.k8s.io';
  await cluster.create(`/apis/${group}/v1/clusterrolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'developers' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'developing' },
    subjects: [{ apiGroup: group, kind: 'Group', name: 'developers' }],
  });
  const match = { any: [{ ...kinds.any[0], clusterRoles: ['developing'] }] };
  const rule = { match, validate: enforced('developers have a team', '?*') };
  await cluster.create(clusterPolicies, clusterPolicy('roles', rule));
  await until('developers have a team');
  expect(await denial({ request: { userInfo: { username: 'bob', groups: [] } } })).toBe('');
  await cluster.ask(`${clusterPolicies}/roles`, { method: 'DELETE' });
});

test('reports a policy that Kyverno would reject, and applies the others', async () => {
  const broken = clusterPolicy('broken', { validate: { message: 'x', pattern: '{{', deny: {} } });
  await cluster.create(clusterPolicies, broken);
  await cluster.create(
    clusterPolicies,
    clusterPolicy('whole', { validate: enforced('acts beside', '?*') }),
  );
  await until('acts beside');
  const { code, text } = await webhook.read('/readyz?verbose');
  expect(code).toBe(200);
  expect(text).toContain('[!]policies degraded: ClusterPolicy/broken: ');
});
