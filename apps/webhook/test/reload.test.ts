import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const allowing = validatingPolicy('policy', 'true');
const denying = (message: string): string => validatingPolicy('policy', 'false', { message });

const other = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n';

let webhook: TestWebhook | undefined;

afterEach(async () => {
  await webhook?.stop();
  webhook = undefined;
});

async function denial(): Promise<string | undefined> {
  const answer = await webhook?.ask('/validate', configMapReview());
  const response = answer?.body['response'] as {
    readonly status?: { readonly message: string };
  };
  return response.status?.message.replace(/.*: /, '');
}

test('a changed file acts within five seconds', async () => {
  webhook = await startWebhook({ 'policy.yaml': allowing });
  expect(await denial()).toBeUndefined();
  webhook.write('policy.yaml', denying('changed'));
  await expect.poll(denial).toBe('changed');
});

test('a changed file acts within five seconds while other files keep changing', async () => {
  webhook = await startWebhook({ 'policy.yaml': allowing });
  let count = 0;
  const busy = setInterval(() => webhook?.write('other.yaml', `# ${++count}\n${other}`), 20);
  onTestFinished(() => clearInterval(busy));
  const before = performance.now();
  webhook.write('policy.yaml', denying('changed'));
  await expect.poll(denial, { timeout: 10_000 }).toBe('changed');
  expect(performance.now() - before).toBeLessThan(5_000);
});

test.each([
  ['that is no YAML', 'a: [', /policy\.yaml:1:\d+: /],
  ['that is no object', '- 1', /policy\.yaml:1:1: expected a Kubernetes object/],
  ['that no longer compiles', denying('x').replace('"false"', '"object.x +"'), /Syntax error/],
  [
    'that is there twice',
    `${allowing}---\n${allowing}`,
    /policy\.yaml:\d+: ValidatingAdmissionPolicy policy is also in .*policy\.yaml:1/,
  ],
])('a file %s keeps the last good set and says so', async (_, text, problem) => {
  webhook = await startWebhook({ 'policy.yaml': denying('good') });
  webhook.write('policy.yaml', text);
  const verbose = async (): Promise<string> => (await webhook?.read('/readyz?verbose'))?.text ?? '';
  await expect.poll(verbose).toMatch(problem);
  expect(await denial()).toBe('good');
  const { code } = await webhook.read('/readyz');
  const { text: metrics } = await webhook.read('/metrics');
  expect({ code, hasProblem: !metrics.includes('kubeadmit_policy_problems 0') }).toEqual({
    code: 200,
    hasProblem: true,
  });
  expect(webhook.log.some(({ problem }) => typeof problem === 'string')).toBe(true);
  webhook.write('policy.yaml', denying('repaired'));
  await expect.poll(denial).toBe('repaired');
  expect(await verbose()).toContain('[+]policies ok');
});

const kyvernoPolicy = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: team}
spec:
  rules:
  - name: rule
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
    validate:
      failureAction: Enforce
      message: a team is required
      pattern: {metadata: {labels: {team: "?*"}}}
`;

function exception(apiVersion: string, spec: string): string {
  const match = apiVersion.startsWith('kyverno')
    ? '\n  match: {any: [{resources: {kinds: [ConfigMap]}}]}'
    : '';
  return `apiVersion: ${apiVersion}
kind: PolicyException
metadata: {name: exception, namespace: shop}
spec:
  ${spec}${match}
---
${allowing}`;
}

const [alone = '', binding = ''] = allowing.split('---\n');
test.each([
  ['a policy without binding', alone, 'ValidatingAdmissionPolicy/policy: it has no binding'],
  ['a binding without policy', binding, 'it refers to ValidatingAdmissionPolicy `policy`'],
  [
    'a field that does not exist',
    allowing.replace('spec:', 'spec:\n  failurePolcy: Fail'),
    'unknown field "spec.failurePolcy"',
  ],
  [
    'a binding whose parameters are not there',
    allowing
      .replace('spec:', 'spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}')
      .replace('[Deny]', '[Deny], paramRef: {name: limits, parameterNotFoundAction: Allow}'),
    'ValidatingAdmissionPolicyBinding/policy: its parameters, ConfigMap `limits`, are not in the files',
  ],
  ['no policies', '# none', 'no policies, so every request is allowed'],
  [
    'a field of Kyverno that does not exist',
    kyvernoPolicy.replace('pattern:', 'failurAction: Enforce\n      pattern:'),
    'ClusterPolicy/team: unknown field "spec.rules[0].validate.failurAction"',
  ],
  [
    'an exception to nothing',
    exception('kyverno.io/v2', 'exceptions: [{policyName: other, ruleNames: [rule]}]'),
    'PolicyException/exception: it is an exception to `other`, which is not among the resources',
  ],
  [
    'an exception to nothing in CEL',
    exception('policies.kyverno.io/v1', 'policyRefs: [{kind: ValidatingPolicy, name: other}]'),
    'PolicyException/exception: it is an exception to `ValidatingPolicy/other`',
  ],
])('%s acts as it is, and is told of', async (_, text, problem) => {
  webhook = await startWebhook({ 'policy.yaml': text });
  const { code, text: verbose } = await webhook.read('/readyz?verbose');
  expect(code).toBe(200);
  expect(verbose).toContain('[!]policy-warnings degraded: ');
  expect(verbose).toContain(problem);
  expect(webhook.log.some((line) => String(line['problem']).includes(problem))).toBe(true);
  expect((await webhook.read('/metrics')).text).toMatch(/^kubeadmit_policy_notes [1-9]/m);
  webhook.write('policy.yaml', allowing);
  await expect
    .poll(async () => (await webhook?.read('/readyz?verbose'))?.text)
    .toContain('[+]policy-warnings ok');
});

test.each([
  [
    'a version that nobody serves',
    kyvernoPolicy.replace('/v1', '/v9'),
    'no matches for kind "ClusterPolicy" in version "kyverno.io/v9"',
  ],
  [
    'a value that there is not',
    kyvernoPolicy.replace('failureAction: Enforce', 'failureAction: Enforced'),
    'spec.rules[0].validate.failureAction: Unsupported value: "Enforced"',
  ],
  [
    'an expression that does not compile',
    `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "object.foo ++ 1"}]
`,
    'ValidatingPolicy/team: spec.validations[0].expression',
  ],
])('a policy of Kyverno with %s is refused as a server would', async (_, text, problem) => {
  webhook = await startWebhook({ 'policy.yaml': text });
  const { code, text: verbose } = await webhook.read('/readyz?verbose');
  expect({ code, verbose }).toEqual({ code: 503, verbose: expect.stringContaining(problem) });
});

test('without a good set it is not ready, answers 503, and gets ready when the set is repaired', async () => {
  webhook = await startWebhook({ 'policy.yaml': 'a: [' });
  const { code, body } = await webhook.ask('/validate', configMapReview());
  expect({ code, message: body['message'] }).toEqual({
    code: 503,
    message: 'policies are still being loaded',
  });
  expect((await webhook.read('/readyz')).code).toBe(503);
  expect((await webhook.read('/livez')).code).toBe(200);
  webhook.write('policy.yaml', denying('repaired'));
  await expect.poll(async () => (await webhook?.read('/readyz'))?.code).toBe(200);
  expect(await denial()).toBe('repaired');
});

test('a mounted folder is exchanged as a whole, as kubelet does it', async () => {
  const volume = folderUntil(onTestFinished);
  const publish = (generation: string): void => {
    const folder = `..${generation}`;
    mkdirSync(join(volume, folder));
    // Half of each set denies: with both, or with none, an answer would be of two generations.
    writeFileSync(
      join(volume, folder, 'one.yaml'),
      validatingPolicy('one', generation === 'b' ? 'false' : 'true', { message: generation }),
    );
    writeFileSync(
      join(volume, folder, 'two.yaml'),
      validatingPolicy('two', generation === 'b' ? 'true' : 'false', { message: generation }),
    );
    symlinkSync(folder, join(volume, '..data_tmp'));
    renameSync(join(volume, '..data_tmp'), join(volume, '..data'));
  };
  publish('a');
  for (const name of ['one.yaml', 'two.yaml']) symlinkSync(`..data/${name}`, join(volume, name));
  webhook = await startWebhook({}, ['--policies', volume]);
  expect(await denial()).toBe('a');
  publish('b');
  rmSync(join(volume, '..a'), { recursive: true });
  const seen = new Set<string | undefined>();
  await expect
    .poll(
      async () => {
        const message = await denial();
        seen.add(message);
        return message;
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe('b');
  expect([...seen]).toEqual(['a', 'b']);
});

test('hidden files and other files are not read', async () => {
  webhook = await startWebhook({
    'policy.yaml': allowing,
    '.hidden.yaml': 'a: [',
    'README.md': 'a: [',
  });
  expect((await webhook.read('/readyz')).code).toBe(200);
});

const inProduction = allowing.replace(
  'validationActions: [Deny]',
  'validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}',
);

test('reports a selector of unknown namespaces before and with the first request', async () => {
  webhook = await startWebhook({ 'policy.yaml': inProduction });
  const told = 'the selector of the binding policy on env selects namespaces by label';
  const verbose = async (): Promise<string> => (await webhook?.read('/readyz?verbose'))?.text ?? '';
  expect(await verbose()).toContain(`[!]policy-warnings degraded: policies: ${told}`);
  await webhook.ask('/validate', configMapReview());
  await webhook.ask('/validate', configMapReview());
  const assumed =
    'Namespace shop is not among the inputs; the selector of the binding policy on env was assumed not to match; add the Namespace with its labels';
  await expect.poll(() => webhook?.log.filter(({ problem }) => problem === assumed).length).toBe(1);
  webhook.write(
    'shop.yaml',
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {env: prod}}\n',
  );
  await expect.poll(verbose).toContain('[+]policy-warnings ok');
});

test.each([
  [
    'a resource that there is not',
    allowing.replace('resources: [configmaps]', 'resources: [configmap]'),
    'unknown resource `configmap` in v1 (Kubernetes 1.37) (did you mean `configmaps`?)',
  ],
  [
    'a field that an expression misspells',
    allowing.replace('"true"', '"object.metdata.name != \'\'"'),
    "undefined field 'metdata' (did you mean `metadata`?)",
  ],
  [
    'a kind that is misspelt',
    `${allowing}---\n${allowing.replace('kind: ValidatingAdmissionPolicy\n', 'kind: ValidatingAdmisionPolicy\n').replace('Binding\nmetadata: {name: policy}', 'Binding\nmetadata: {name: other}')}`,
    'no matches for kind "ValidatingAdmisionPolicy" in version "admissionregistration.k8s.io/v1"',
  ],
])('%s is told of at its place, while the rest acts', async (_, text, problem) => {
  webhook = await startWebhook({ 'policy.yaml': text });
  const verbose = async (): Promise<string> => (await webhook?.read('/readyz?verbose'))?.text ?? '';
  await expect.poll(verbose).toContain(problem);
  const place = expect.stringMatching(/policy\.yaml:\d+:\d+$/);
  expect(webhook.log).toContainEqual(
    expect.objectContaining({ place, problem: expect.stringContaining(problem) }),
  );
  expect((await webhook.read('/metrics')).text).toMatch(/^kubeadmit_policy_notes [1-9]/m);
  expect((await webhook.read('/readyz')).code).toBe(200);
  webhook.write('policy.yaml', allowing);
  await expect.poll(verbose).toContain('[+]policy-warnings ok');
  expect((await webhook.read('/metrics')).text).toMatch(/^kubeadmit_policy_notes 0$/m);
});
