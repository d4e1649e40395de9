import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../src/cluster/api-error.ts';
import { PolicyEvents } from '../src/events/policy-events.ts';
import { type ApiObject, startCluster, type TestCluster } from './harness/cluster.ts';
import { startWebhook } from './harness/webhook.ts';

const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const patience = { timeout: 60_000, interval: 200 };

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.stop());

test('a policy of the cluster that cannot be used gets one event', async () => {
  const rule = {
    ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  };
  const broken = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'later-version' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      // A server of a later version knows this library.
      validations: [{ expression: "semver('1.0.0').major() == 1" }],
    },
  };
  const { metadata } = (await cluster.create(policies, broken)) as {
    readonly metadata: { readonly uid: string };
  };
  const options = ['--kubeconfig', cluster.kubeconfig, '--events', '--kubernetes-version', '1.30'];
  const [one, other] = [await startWebhook({}, options), await startWebhook({}, options)];
  try {
    const told = async (): Promise<readonly ApiObject[]> =>
      ((await cluster.ask(events))['items'] ?? []) as readonly ApiObject[];
    await expect.poll(told, patience).toHaveLength(1);
    expect((await told())[0]).toMatchObject({
      reason: 'PolicyInvalid',
      type: 'Warning',
      note: expect.stringContaining('undeclared reference'),
      regarding: { kind: 'ValidatingAdmissionPolicy', name: 'later-version', uid: metadata.uid },
    });
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
});

test('a problem is reported once while it lasts, and problems of files are about the pod', async () => {
  const asked: [string, Readonly<Record<string, unknown>>][] = [];
  const failed: unknown[] = [];
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'policies', name: 'webhook-1' };
  const reporter = new PolicyEvents({
    client: {
      ask: async (path, { body = '' } = {}) => {
        asked.push([path, JSON.parse(body)]);
        throw new ApiError(409, 'already exists');
      },
    },
    listener: { done: () => undefined, failed: (error) => failed.push(error) },
    pod,
  });
  const problem = { place: 'policies/team.yaml:3', message: 'broken' };
  const snapshot = { sources: [], problems: [] };
  reporter.tell([problem], snapshot);
  reporter.tell([problem], snapshot);
  reporter.tell([], snapshot);
  reporter.tell([problem], snapshot);
  await reporter.stop();
  expect(failed).toEqual([]);
  expect(asked.map(([path]) => path)).toEqual(
    asked.map(() => '/apis/events.k8s.io/v1/namespaces/policies/events'),
  );
  expect(asked[0]?.[1]).toMatchObject({
    regarding: pod,
    note: 'policies/team.yaml:3: broken',
    metadata: { name: expect.stringMatching(/^policy-invalid\.[0-9a-f]{20}$/) },
  });
  expect(new Set(asked.map(([, { metadata }]) => JSON.stringify(metadata))).size).toBe(1);
});
