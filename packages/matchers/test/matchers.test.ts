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

  test('assert the outcome of requests', () => {
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
      'expected allowed, got denied by replicas: no more than five replicas',
    ],
    ['a denial', () => expect(cluster).toDeny(deployment(5)), 'expected denied, got allowed'],
    [
      'a request that nobody is about',
      () => expect(cluster).toAdmit({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      'owners: no rule matches: resourceRules[0] lists resources configmaps, not secrets',
    ],
    [
      'a message',
      () => expect(cluster).toDeny(deployment(6), { message: 'six' }),
      'expected the message containing "six", got "no more than five replicas"',
    ],
    [
      'a denial that is not expected',
      () => expect(cluster).not.toDeny(deployment(6)),
      'expected the request not to be denied with these properties, got denied by replicas',
    ],
    [
      'a misspelt kind',
      () => expect(cluster).toIgnore({ ...deployment(6), kind: 'Deploymnt' }),
      'no matches for kind "Deploymnt" in version "apps/v1" (did you mean `Deployment`?)',
    ],
    [
      'a version that is not served',
      () => expect(cluster).not.toDeny({ ...deployment(6), apiVersion: 'apps/v2' }),
      'no matches for kind "Deployment" in version "apps/v2": it is in apps/v1',
    ],
    [
      'a custom kind without its definition',
      () => expect(cluster).toIgnore({ ...configMap, apiVersion: 'example.com/v1', kind: 'Shop' }),
      'no matches for kind "Shop" in version "example.com/v1": add its CustomResourceDefinition to the inputs',
    ],
    [
      'an object that the server rejects',
      () => expect(cluster).not.toDeny({ ...configMap, dat: {} }),
      'toDeny: the server rejects the object before any policy: ConfigMap in version "v1" cannot be handled',
    ],
    [
      'an expectation that there is not',
      () => expect(cluster).not.toDeny(deployment(6), { massage: 'x' } as never),
      'unknown expectation `massage`',
    ],
    [
      'no cluster',
      () => expect({}).not.toDeny(deployment(6)),
      'expected a cluster of `testCluster`',
    ],
    [
      'the promise of a cluster',
      () => expect(testCluster({ resources: [policy], bindings: 'auto' })).not.toDeny(configMap),
      'and this is a Promise of one (await it)',
    ],
    ['no object', () => expect(cluster).not.toDeny('a: b'), 'not a Kubernetes object'],
    ['nothing', () => expect(cluster).not.toDeny(undefined as never), '`object` is undefined'],
    ['null', () => expect(cluster).not.toDeny(null as never), '`object` is null'],
    [
      'a promise of an object',
      () => expect(cluster).not.toDeny(Promise.resolve(configMap) as never),
      '`object` is a Promise (await it), not a string or an object',
    ],
    [
      'a member of a request with a slip',
      () => expect(cluster).not.toDeny({ object: configMap, operaton: 'UPDATE' } as never),
      'a request of a test: unknown option `operaton` (did you mean `operation`?)',
    ],
    [
      'an operation in another case',
      () => expect(cluster).not.toDeny({ object: configMap, operation: 'update' } as never),
      '`operation` must be one of "CREATE", "UPDATE", "DELETE", "CONNECT", got the string "update"',
    ],
    [
      'an old object of a creation',
      () => expect(cluster).not.toDeny({ object: configMap, oldObject: configMap }),
      '`oldObject` requires the operation UPDATE, not CREATE',
    ],
    [
      'a user of an AdmissionRequest',
      () => expect(cluster).not.toDeny({ object: configMap, user: { username: 'a' } } as never),
      '`user`: unknown option `username`',
    ],
    [
      'an expectation that is a text',
      () => expect(cluster).not.toDeny(deployment(6), 'five' as never),
      "expected an object with further expectations, such as { message: '…' }",
    ],
    [
      'an expectation that is null',
      () => expect(cluster).not.toDeny(deployment(6), null as never),
      "expected an object with further expectations, such as { message: '…' }",
    ],
    [
      'a message that is a number',
      () => expect(cluster).not.toDeny(deployment(6), { message: 5 } as never),
      '`message` must be a string or a pattern',
    ],
    [
      'a code that is a text',
      () => expect(cluster).not.toDeny(deployment(6), { code: '422' } as never),
      '`code` must be a whole number',
    ],
    [
      'a reason that is a number',
      () => expect(cluster).not.toDeny(deployment(6), { reason: 5 } as never),
      '`reason` must be a string',
    ],
    [
      'validations that are names',
      () => expect(cluster).not.toDeny(deployment(6), { validations: ['a'] } as never),
      '`validations` must be an index of a validation, or a list of indexes',
    ],
    [
      'warnings that are a text',
      () => expect(cluster).not.toDeny(deployment(6), { warnings: 'x' } as never),
      '`warnings` must be a list of strings and patterns',
    ],
    [
      'a policy that is not there',
      () => expect(cluster).not.toDeny(deployment(6), { policy: 'replica' }),
      'the case has no policy `replica` (did you mean `replicas`?)',
    ],
    [
      'a binding that is not there',
      () => expect(cluster).toIgnore(deployment(6), { binding: 'production' }),
      'the case has no binding `production`',
    ],
  ])('explain %s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'testCluster: expected options as an object, got undefined'],
    ['a list', [policy], 'testCluster: expected options as an object, got a list'],
    ['no resources', { bindings: 'auto' }, 'testCluster: `resources` is undefined'],
    [
      'a text for the list',
      { resources: policy },
      'testCluster: `resources` must be a list, got a string',
    ],
    [
      'a list within the list',
      { resources: [[policy]] },
      'testCluster: `resources[0]` is a list, not a string or an object',
    ],
    [
      'a promise of a text',
      { resources: [Promise.resolve(policy)] },
      'testCluster: `resources[0]` is a Promise (await it), not a string or an object',
    ],
    [
      'an option with a slip',
      { resources: [policy], binding: 'auto' },
      'testCluster: unknown option `binding` (did you mean `bindings`?)',
    ],
    [
      'another word',
      { resources: [policy], bindings: 'Auto' },
      'testCluster: `bindings` must be one of "auto", got the string "Auto"',
    ],
  ])('%s makes no cluster', async (_, options, message) => {
    await expect(testCluster(options as never)).rejects.toThrow(new TypeError(message));
  });

  test('rejects a policy that a server would reject', async () => {
    const broken = policy.replace('object.spec.replicas <= 5', 'object.spec.replicas <=');
    await expect(testCluster({ resources: [broken] })).rejects.toThrow('Syntax error');
  });
});
