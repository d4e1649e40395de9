import { expect, test } from 'vitest';
import { KyvernoTestRun, readTests } from '../src/other-tools.ts';
import { hostOf } from './host.ts';

const policy = `{apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: p}, spec: {rules: [{name: r, match: {any: [{resources: {kinds: [Pod]}}]}, validate: {message: never, deny: {}}}]}}`;
const pod = '{apiVersion: v1, kind: Pod, metadata: {name: web}}';

/** Kinds of files that a test names, each with the field that names it. */
const fields = {
  Values: 'variables: file.yaml',
  UserInfo: 'userinfo: file.yaml',
  Context: 'context: file.yaml',
  ClusterResource: 'clusterResources: [file.yaml]',
} as const;

/** Returns the message of a test that names a file, from its third line on; empty if the file is accepted. */
async function messageOf(kind: keyof typeof fields, content: string): Promise<string> {
  const files = {
    'policy.yaml': policy,
    'pod.yaml': pod,
    'file.yaml': `apiVersion: cli.kyverno.io/v1alpha1\nkind: ${kind}\n${content}`,
    'kyverno-test.yaml': `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: t}
policies: [policy.yaml]
resources: [pod.yaml]
${fields[kind]}
results:
- {policy: p, rule: r, kind: Pod, resources: [web], result: fail}
`,
  };
  const host = hostOf(files);
  const { sources } = await host.read('kyverno-test.yaml', '');
  const tests = sources.flatMap((source) => readTests(source).tests);
  const entries = await Promise.all(
    tests.flatMap((each) =>
      each.results.map((row) => new KyvernoTestRun(each, { host }).judge(row)),
    ),
  );
  return entries.flat().map(({ message, result }) => (result === 'pass' ? '' : message))[0] ?? '';
}

// The Kyverno CLI decodes these files strictly (`yaml.UnmarshalStrict`).
test.each<[keyof typeof fields, string, string]>([
  [
    'Values',
    'namespaceSelector:\n- name: shop\n  labels: {tier: 1}',
    'file.yaml:5:12: json: cannot unmarshal number into Go struct field NamespaceSelector.namespaceSelector.labels of type string',
  ],
  [
    'Values',
    'policies:\n- name: p\n  rules:\n  - name: r\n    foreachValues:\n      element: {a: b}',
    'file.yaml:8:7: json: cannot unmarshal object into Go struct field Rule.policies.rules.foreachValues of type []interface {}',
  ],
  [
    'Values',
    'namespaces:\n- metadata: {name: shop}\n  spec: {finalizer: [a]}',
    'file.yaml:5:10: unknown field "namespaces[0].spec.finalizer"',
  ],
  [
    'Values',
    'subresources:\n- subresource: {name: pods/eviction, kind: Eviction, namespaced: 1}',
    'file.yaml:4:54: json: cannot unmarshal number into Go struct field APIResource.subresources.subresource.namespaced of type bool',
  ],
  [
    'UserInfo',
    'roles: a',
    'file.yaml:3:1: json: cannot unmarshal string into Go struct field UserInfo.roles of type []string',
  ],
  [
    'UserInfo',
    'clusterRoles: [a, 1]',
    'file.yaml:3:19: json: cannot unmarshal number into Go struct field UserInfo.clusterRoles of type string',
  ],
  [
    'UserInfo',
    'userInfo:\n  username: 1',
    'file.yaml:4:3: json: cannot unmarshal number into Go struct field UserInfo.userInfo.username of type string',
  ],
  [
    'UserInfo',
    'userInfo:\n  groups: devs',
    'file.yaml:4:3: json: cannot unmarshal string into Go struct field UserInfo.userInfo.groups of type []string',
  ],
  [
    'UserInfo',
    'userInfo:\n  extra: {a: b}',
    'file.yaml:4:11: json: cannot unmarshal string into Go struct field UserInfo.userInfo.extra of type v1.ExtraValue',
  ],
  ['UserInfo', 'synced: true', 'file.yaml:3:1: unknown field "synced"'],
  ['Context', 'spec:\n  image: []', 'file.yaml:4:3: unknown field "spec.image"'],
  [
    'ClusterResource',
    'spec:\n  crds: definitions.yaml',
    'file.yaml:4:3: json: cannot unmarshal string into Go struct field ClusterResourceSpec.spec.crds of type []string',
  ],
])('refuses a %s that the Kyverno CLI cannot decode: %j', async (kind, content, message) => {
  expect(await messageOf(kind, content)).toBe(message);
});

test.each<[keyof typeof fields, string]>([
  ['Values', 'globalValues: {request.mode: 1, other: {a: [b]}}'],
  ['Values', 'policies: [{name: p, rules: [{name: r, foreachValues: {element: [{a: 1}]}}]}]'],
  [
    'Values',
    'subresources: [{subresource: {name: pods/eviction, kind: Eviction, singularName: "", namespaced: true, verbs: [create]}, parentResource: {name: pods, kind: Pod}}]',
  ],
  // The YAML reader makes strings of numbers, but not in structs that embed others.
  ['Context', 'spec: {images: [{image: web, tag: 1.27}]}'],
  ['UserInfo', 'synchronize: true\nuserInfo: {username: a, extra: {b: [c]}}'],
])('accepts a %s that the Kyverno CLI decodes: %s', async (kind, content) => {
  expect(await messageOf(kind, content)).toBe('');
});

const answer = (text: string): string => `apiCallResponses: [${text}]`;
const entry = (text: string): string => `globalContextEntries: [${text}]`;
const given = 'response: {body: {a: b}}';

test.each([
  [
    'results: [{policy: p, isValidatingPolicy: 1}]',
    /^json: cannot unmarshal number into Go struct/,
  ],
  [
    'policies: [a.yaml]\nvalues: {policies: [{name: p, rules: [{name: r, foreachValues: {a: b}}]}]}',
    /of type \[\]interface \{\}$/,
  ],
  [
    answer(`{url: example.com/a, ${given}}`),
    /url "example.com\/a" must be an absolute https\/http URL$/,
  ],
  [
    answer(`{urlPath: api/v1, ${given}}`),
    /urlPath "api\/v1" must be an absolute path starting with '\/'$/,
  ],
  [answer(`{urlPath: /api, method: PUT, ${given}}`), /method must be GET or POST$/],
  [
    answer('{urlPath: /api, response: {statusCode: 99, body: {}}}'),
    /statusCode 99 must be between 100 and 599$/,
  ],
  [answer(`{urlPath: /api, ${given}}, {urlPath: /api, ${given}}`), /duplicate entry for "\/api"$/],
  [entry('{name: a, data: [1]}'), /data must be a JSON object$/],
  [entry('{name: a, resources: [1]}'), /resources\[0\]: must be a JSON object/],
  [entry('{name: a, resourceFiles: [/etc/a]}'), /file path must not be absolute$/],
  [entry('{name: a, resourceFiles: [b/../../a]}'), /file path must not escape the test directory$/],
  [
    entry('{name: a, data: {}, projections: [{name: " ", path: a}]}'),
    /projection name is required$/,
  ],
  [entry('{name: a, data: {}, projections: [{name: b}]}'), /projection "b": path is required$/],
  [entry('{name: a, data: {}}, {name: a, data: {}}'), /duplicate entry for "a"$/],
])('refuses a Test that the Kyverno CLI refuses: %s', async (content, message) => {
  const text = `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\n${content}`;
  const { sources } = await hostOf({ 'kyverno-test.yaml': text }).read('kyverno-test.yaml', '');
  const { tests, problems } = readTests(sources[0] as (typeof sources)[number]);
  expect(tests).toEqual([]);
  expect(problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
  expect(problems[0]?.place?.line).toBeGreaterThan(3);
});

test('accepts numbers as labels in the values of a Test, as the Kyverno CLI does', async () => {
  const text = `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: t}
values:
  namespaceSelector:
  - {name: shop, labels: {tier: 1, isOpen: true}}
`;
  const { sources } = await hostOf({ 'kyverno-test.yaml': text }).read('kyverno-test.yaml', '');
  const { tests, problems } = readTests(sources[0] as (typeof sources)[number]);
  expect(problems).toEqual([]);
  expect(tests[0]?.values?.namespaceLabels.get('shop')).toEqual({ tier: '1', isOpen: 'true' });
});
