import { beforeAll, describe, expect, test } from 'vitest';
import { testCluster } from '../src/index.ts';
import '../src/vitest.ts';

const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - expression: object.spec.replicas <= 5
    message: no more than five replicas
  - expression: request.operation != 'UPDATE' || object.spec.replicas >= oldObject.spec.replicas
    reason: Forbidden
  - expression: "!has(object.metadata.labels) || object.metadata.labels.team != ''"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: owners}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'owner': request.userInfo.username}}}"}
`;

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

function deployment(replicas: number, metadata: object = {}): Readonly<Record<string, unknown>> {
  const labels = { a: 'b' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

describe('matchers', () => {
  let cluster: Awaited<ReturnType<typeof testCluster>>;

  beforeAll(async () => {
    cluster = await testCluster({ resources: [policy], bindings: 'auto' });
  });

  test('say what becomes of requests', () => {
    expect(cluster).toAdmit(deployment(5));
    expect(cluster).toDeny(deployment(6), { message: 'five', validations: 0, code: 422 });
    expect(cluster).toDeny({ object: deployment(6) }, { message: /FIVE/i, policy: 'replicas' });
    const update = {
      object: deployment(1),
      operation: 'UPDATE',
      oldObject: deployment(3),
    } as const;
    expect(cluster).toDeny(update, { reason: 'Forbidden', message: 'failed expression' });
    expect(cluster).toIgnore({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
    expect(cluster).toMutate(
      { object: configMap, user: 'ann' },
      { object: { metadata: { labels: { owner: 'ann' } } } },
    );
    expect(cluster).toFailOn(deployment(1, { labels: { a: 'b' } }), {
      message: 'no such key: team',
    });
    expect(cluster).toRefuse({ ...configMap, dat: {} }, { message: 'unknown field "dat"' });
    expect(cluster).not.toAdmit(deployment(6));
    expect(cluster).not.toDeny(deployment(5));
  });

  test.each([
    [
      'an admission',
      () => expect(cluster).toAdmit(deployment(6)),
      'expected allowed, but it is denied by replicas: no more than five replicas',
    ],
    ['a denial', () => expect(cluster).toDeny(deployment(5)), 'expected denied, but it is allowed'],
    [
      'a request that nobody is about',
      () => expect(cluster).toAdmit({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      'expected allowed, but it is not concerned',
    ],
    [
      'a message',
      () => expect(cluster).toDeny(deployment(6), { message: 'six' }),
      'expected the message with "six", but it is "no more than five replicas"',
    ],
    [
      'a denial that is not expected',
      () => expect(cluster).not.toDeny(deployment(6)),
      'expected that the request is not denied like that, but it is denied by replicas',
    ],
    [
      'an expectation that there is not',
      () => expect(cluster).not.toDeny(deployment(6), { massage: 'x' } as never),
      'there is no `massage` to expect',
    ],
    [
      'no cluster',
      () => expect({}).not.toDeny(deployment(6)),
      'expected a cluster of `testCluster`',
    ],
    ['no object', () => expect(cluster).not.toDeny('a: b'), 'not a Kubernetes object'],
  ])('explain %s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test('a policy that a server would refuse is no cluster', async () => {
    const broken = policy.replace('object.spec.replicas <= 5', 'object.spec.replicas <=');
    await expect(testCluster({ resources: [broken] })).rejects.toThrow('Syntax error');
  });
});
