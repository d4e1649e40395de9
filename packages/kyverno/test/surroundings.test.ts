import type { JsonObject } from '@kubeadmit/apimachinery';
import { allSteps } from '@kubeadmit/engine/unstable-internal';
import { describe, expect, test } from 'vitest';
import {
  type CelSources,
  compileCelPolicy,
  compileConfiguration,
  compilePolicy,
  validateRequest,
} from '../src/index.ts';
import { unknownUser } from '../src/match/subject.ts';
import { deletesPayload } from '../src/payloads.ts';
import { mutatePolicy, validatePolicy } from '../src/policy/engine.ts';
import {
  makeRequest,
  ObjectForms,
  type Request,
  type RequestSetting,
} from '../src/rule/request.ts';

const pod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'n', labels: { team: 'x' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
};

function policyOf(rule: object): ReturnType<typeof compilePolicy> {
  const match = { any: [{ resources: { kinds: ['Pod'] } }] };
  return compilePolicy({
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { rules: [{ name: 'r', match, ...rule }] },
  });
}

function requestOf(more: Partial<RequestSetting> = {}): Request {
  const setting = {
    operation: 'CREATE',
    facts: { subresource: '', operation: 'CREATE', namespaceLabels: {}, user: unknownUser },
    sources: {},
    exceptions: [],
    isCluster: false,
    ...more,
  };
  return makeRequest(setting, new ObjectForms(pod), undefined);
}

function configMap(name: string, namespace: string, data: object, labels: object = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data };
}

describe('existing objects', () => {
  const existing = [
    configMap('one', 'n', { a: '1' }, { pick: 'me' }),
    configMap('two', 'm', { a: '2' }, { pick: 'me' }),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one', namespace: 'n' } },
  ];
  const patch = {
    patchStrategicMerge: {
      data: { from: '{{ request.object.metadata.name }}-{{ target.data.a }}' },
    },
  };

  test.each<[string, object, readonly unknown[]]>([
    ['by name', { name: 'one', namespace: 'n' }, ['a-1']],
    ['by wildcard', { name: '*', namespace: '?' }, ['a-1', 'a-2']],
    ['by selector', { selector: { matchLabels: { pick: 'me' } } }, ['a-1', 'a-2']],
    [
      'with variables',
      { name: 'one', namespace: '{{ request.object.metadata.namespace }}' },
      ['a-1'],
    ],
    [
      'with preconditions',
      {
        name: '*',
        preconditions: { all: [{ key: '{{ target.data.a }}', operator: 'Equals', value: '2' }] },
      },
      ['a-2'],
    ],
  ])('are mutated: %s', (_name, target, texts) => {
    const policy = policyOf({
      mutate: { targets: [{ apiVersion: 'v1', kind: 'ConfigMap', ...target }], ...patch },
    });
    const { results, object } = allSteps(mutatePolicy(policy, requestOf({ existing })));
    const made = results.flatMap(({ target: one }) =>
      one ? [(one['data'] as JsonObject)['from']] : [],
    );
    expect(made).toEqual(texts);
    expect(object).toEqual(pod);
  });

  test('that are missing are an error, as is a rule without existing objects', () => {
    const policy = policyOf({
      mutate: {
        targets: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: 'n' }],
        ...patch,
      },
    });
    const messageOf = (request: Request): unknown =>
      allSteps(mutatePolicy(policy, request)).results[0];
    expect(messageOf(requestOf({ existing }))).toMatchObject({
      status: 'error',
      message: ': ConfigMap "x" not found',
    });
    expect(messageOf(requestOf())).toMatchObject({ status: 'error' });
  });

  test('are left to the background in a cluster', () => {
    const policy = policyOf({ mutate: { targets: [{ kind: 'ConfigMap' }], ...patch } });
    expect(
      allSteps(mutatePolicy(policy, requestOf({ existing, isCluster: true }))).results,
    ).toEqual([]);
  });

  test.each<[string, object, string, string]>([
    ['by name', { name: 'one' }, 'fail', 'a must be 1'],
    ['of another namespace', { name: 'two', namespace: 'm' }, 'fail', 'a must be 2'],
    ['by selector', { selector: { matchLabels: { pick: 'me' } } }, 'fail', 'a must be 1'],
    [
      'that are missing',
      { name: 'x', parameterNotFoundAction: 'Deny' },
      'error',
      'error in parameterized resource: ConfigMap "x" not found',
    ],
    [
      'of which none is selected',
      { selector: { matchLabels: { pick: 'none' } }, parameterNotFoundAction: 'Deny' },
      'error',
      'error in parameterized resource: no params found',
    ],
    [
      'of which none need be selected',
      { selector: { matchLabels: { pick: 'none' } }, parameterNotFoundAction: 'Allow' },
      'pass',
      "Validation rule 'r' passed.",
    ],
  ])('are parameters of CEL rules: %s', (_name, paramRef, status, message) => {
    const cel = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      paramRef,
      expressions: [
        {
          expression: 'object.metadata.name == params.data.a',
          messageExpression: "'a must be ' + params.data.a",
        },
      ],
    };
    const [result] = allSteps(
      validatePolicy(policyOf({ validate: { cel } }), requestOf({ existing })),
    ).results;
    expect(result).toMatchObject({ status, message });
  });
});

describe('the configuration of Kyverno', () => {
  const deny = policyOf({ validate: { deny: {} } });
  const user = { ...unknownUser, username: 'system:node:a', groups: ['nodes'], isUnknown: false };

  test.each<[string, object, boolean, number]>([
    ['names the kind', { resourceFilters: '[Event,*,*][Pod,n,*]' }, false, 0],
    ['names another namespace', { resourceFilters: '[Pod,m,*]' }, false, 1],
    ['names the kind and version', { resourceFilters: '[v1/Pod,n,a]' }, false, 0],
    ['excludes a group', { excludeGroups: 'x,nodes' }, true, 0],
    ['excludes a user', { excludeUsernames: 'system:*' }, true, 0],
    ['includes one of them', { excludeUsernames: 'system:*,!system:node:a' }, true, 1],
    ['excludes a user outside of admission', { excludeGroups: 'nodes' }, false, 1],
  ])('%s', (_name, data, isCluster, count) => {
    const configuration = compileConfiguration({ kind: 'ConfigMap', data });
    const facts = { ...requestOf().facts, user };
    const request = requestOf({ configuration, isCluster, facts });
    expect(allSteps(validatePolicy(deny, request)).results).toHaveLength(count);
  });
});

test('rules that verify manifests are errors', () => {
  const manifests = { attestors: [{ entries: [] }] };
  const [result] = allSteps(
    validatePolicy(policyOf({ validate: { manifests } }), requestOf()),
  ).results;
  expect(result?.status).toBe('error');
});

describe('the namespace in rules in CEL', () => {
  const expression = "namespaceObject.metadata.?labels.tier.orValue('none') == 'gold'";
  const cel = { expressions: [{ expression }] };
  const namespace = { metadata: { name: 'n', labels: { tier: 'gold' } } };

  test.each<[string, boolean, JsonObject | undefined, string]>([
    ['is the one of the cluster', true, namespace, 'pass'],
    ['is a name where it is not known', true, undefined, 'fail'],
    ['is a name outside of clusters', false, namespace, 'fail'],
  ])('%s', (_name, isCluster, known, status) => {
    const facts = { ...requestOf().facts, namespace: known };
    const request = requestOf({ isCluster, facts });
    const [result] = allSteps(validatePolicy(policyOf({ validate: { cel } }), request)).results;
    expect(result?.status).toBe(status);
  });
});

describe('a Policy of the namespace n', () => {
  const secret = { data: { data: { key: 'secret' } } };
  const sources = {
    apiCall: () => secret,
    globalReference: () => secret,
    configMap: () => secret.data as JsonObject,
  };
  const messageWith = (entry: object): unknown => {
    const policy = compilePolicy({
      kind: 'Policy',
      metadata: { name: 'p', namespace: 'n' },
      spec: {
        rules: [
          {
            name: 'r',
            match: { any: [{ resources: { kinds: ['Pod'] } }] },
            context: [{ name: 'x', ...entry }],
            validate: {
              message: '{{ x.data.key }}',
              deny: {
                conditions: {
                  any: [{ key: '{{ x.data.key }}', operator: 'Equals', value: 'secret' }],
                },
              },
            },
          },
        ],
      },
    });
    return allSteps(validatePolicy(policy, requestOf({ sources }))).results[0]?.message;
  };

  test.each<[string]>([
    ['/api/v1/namespaces/n/secrets/s'],
    ['/apis/apps/v1/namespaces/n/deployments'],
    ['/api/v1/namespaces/n'],
    ['/api/v1/namespaces/m/../n/secrets/s'],
    ['/api/v1/namespaces/{{ request.object.metadata.namespace }}/secrets/s'],
  ])('reads %s', (urlPath) => {
    expect(messageWith({ apiCall: { urlPath } })).toBe('secret');
  });

  const foreign = (path: string): string =>
    `path ${path} refers to namespace kube-system, which is different from the policy namespace n`;
  const unplaced = (path: string): string =>
    `path ${path} does not contain a namespace segment, which is required for namespaced policies`;

  test.each<[object, string]>([
    [
      { urlPath: '/api/v1/namespaces/kube-system/secrets/s' },
      foreign('/api/v1/namespaces/kube-system/secrets/s'),
    ],
    [
      { urlPath: '/api/v1/namespaces/kube-system/secrets/s', default: {} },
      foreign('/api/v1/namespaces/kube-system/secrets/s'),
    ],
    [
      { urlPath: '/api/v1/namespaces/n/../kube-system/secrets/s' },
      foreign('/api/v1/namespaces/kube-system/secrets/s'),
    ],
    [
      { urlPath: '/api/v1/namespaces/n/%2e%2E/kube-system/secrets/s' },
      foreign('/api/v1/namespaces/kube-system/secrets/s'),
    ],
    [
      { urlPath: '/apis/apps/v1//namespaces/kube-system/deployments' },
      foreign('/apis/apps/v1/namespaces/kube-system/deployments'),
    ],
    [{ urlPath: '/api/v1/secrets' }, unplaced('/api/v1/secrets')],
    [{ urlPath: '/api/v1/namespaces' }, unplaced('/api/v1/namespaces')],
    [{ urlPath: '/api/v1/%zz' }, unplaced('/api/v1/%zz')],
    [{ service: { url: 'http://metadata.example' } }, unplaced('.')],
  ])('does not read %j', (apiCall, problem) => {
    expect(messageWith({ apiCall })).toContain(`failed to fetch data for APICall: ${problem}`);
  });

  test('reads no global context entry', () => {
    expect(messageWith({ globalReference: { name: 'secrets' } })).toContain(
      'context entry x: globalReference is not allowed in namespaced policies',
    );
  });

  test.each([
    ['its own namespace', 'n', 'params.data.a is n'],
    [
      'another namespace',
      'kube-system',
      'paramRef namespace "kube-system" is different from policy',
    ],
    ['the namespace of the object', '', 'params.data.a is n'],
  ])('reads parameters of %s', (_name, namespace, message) => {
    const cel = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      paramRef: { name: 'c', namespace },
      expressions: [
        { expression: 'false', messageExpression: "'params.data.a is ' + params.data.a" },
      ],
    };
    const match = { any: [{ resources: { kinds: ['Pod'] } }] };
    const policy = compilePolicy({
      kind: 'Policy',
      metadata: { name: 'p', namespace: 'n' },
      spec: { rules: [{ name: 'r', match, validate: { cel } }] },
    });
    const parameters = () => [
      configMap('c', 'n', { a: 'n' }),
      configMap('c', 'kube-system', { a: 'secret' }),
    ];
    const request = requestOf({ sources: { parameters }, isCluster: true });
    const [result] = allSteps(validatePolicy(policy, request)).results;
    expect(result?.message).toContain(message);
  });

  test('reads no ConfigMap of another namespace', () => {
    expect(messageWith({ configMap: { name: 'c', namespace: 'kube-system' } })).toContain(
      'configMap namespace "kube-system" is different from policy namespace "n"',
    );
  });
});

describe('a NamespacedValidatingPolicy', () => {
  const compileWith = (expression: string): ReturnType<typeof compileCelPolicy> =>
    compileCelPolicy(
      {
        apiVersion: 'policies.kyverno.io/v1',
        kind: 'NamespacedValidatingPolicy',
        metadata: { name: 'p', namespace: 'n' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
            ],
          },
          validations: [{ expression: 'false', messageExpression: expression }],
        },
      },
      { clock: () => 0 },
    );
  const messageOf = (expression: string, sources: CelSources): unknown => {
    const attributes = {
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subresource: '',
      name: 'a',
      namespace: 'n',
      operation: 'CREATE' as const,
      user: {},
      object: pod as never,
      oldObject: null,
      dryRun: false,
      options: null,
    };
    const responses = validateRequest(compileWith(expression), { attributes, sources });
    return responses.flat()[0]?.message;
  };

  test('reads only objects of its namespace', () => {
    const asked: unknown[] = [];
    const getResource = (query: object): JsonObject => {
      asked.push(query);
      return { data: { key: 'v' } };
    };
    messageOf('string(resource.get("v1", "configmaps", "c").data.key)', { getResource });
    expect(asked).toEqual([
      { apiVersion: 'v1', resource: 'configmaps', namespace: 'n', name: 'c' },
    ]);
    expect(
      compileWith('resource.get("v1", "configmaps", "kube-system", "c").data.key').problems,
    ).toHaveLength(1);
  });

  test('has the functions of the Kubernetes version that Kyverno is built with', () => {
    expect(compileWith("['a'].distinct()[0]").problems).toEqual([]);
    expect(compileWith("string(['a'].includes('a'))").problems[0]?.message).toContain(
      "undeclared reference to 'includes'",
    );
  });

  test.each([
    ['string(globalContext.get("secrets", "").key)', 'globalContext.* is not allowed'],
    ['string(http.get("http://metadata.example").key)', 'http.* is not allowed'],
  ])('that uses %s is refused', (expression, problem) => {
    const { problems, refusals } = compileWith(expression);
    expect(problems).toEqual([]);
    expect(refusals[0]?.message).toContain(`spec: Forbidden: ${problem} in namespaced policies`);
  });

  test.each([
    ['string(globalContext.get("secrets", "").key)'],
    ['string(http.get("http://metadata.example").key)'],
  ])('gets no answer from %s', (expression) => {
    const globalContext = (): { data: object } => ({ data: { key: 'secret' } });
    expect(messageOf(expression, { globalContext })).not.toContain('secret');
  });
});

describe('data from outside that no source has', () => {
  test.each([
    [
      'http.Get("http://x/y") == null',
      'request failed: no answer for GET http://x/y; give it in `apiCallResponses` of a kyverno-test.yaml (for `check`: `--context-file`)',
    ],
    [
      'globalContext.Get("apps", "") == null',
      'failed to get global reference: no data of the entry "apps"; give it in a GlobalContextEntry among the inputs, or `globalContextEntries` of a kyverno-test.yaml (for `check`: `--context-file`)',
    ],
    [
      'image.GetMetadata("nginx") == null',
      'failed to get image data: no data of the image "nginx"; give it in `images` of a Context (`context` of a kyverno-test.yaml; for `check`: `--context-file`)',
    ],
  ])('%s', (expression, message) => {
    const policy = compileCelPolicy(
      {
        apiVersion: 'policies.kyverno.io/v1',
        kind: 'DeletingPolicy',
        metadata: { name: 'p' },
        spec: { conditions: [{ name: 'c', expression }] },
      },
      { clock: () => 0 },
    );
    expect(deletesPayload(policy, {}, {})).toEqual({ rule: 'p', status: 'error', message });
  });
});
