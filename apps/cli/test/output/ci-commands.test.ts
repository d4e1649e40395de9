import { withFiles } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hasCommands, jsonWithoutCommands, withoutCommands } from '../../src/output/ci-commands.ts';
import { checkFormats, lintFormats, testFormats } from '../../src/output/formats/names.ts';
import { oneLine } from '../../src/output/one-line.ts';
import { printable, printableLine } from '../../src/output/style.ts';
import { yamlWithoutCommands } from '../../src/output/yaml-without-commands.ts';
import { runHere } from '../terminal.ts';

describe('the text of commands of CI systems', () => {
  test.each([
    ['::error::x', '\\u003a:error::x'],
    ['a\n  ::stop-commands::x', 'a\n  \\u003a:stop-commands::x'],
    ['a ##[error]b', 'a #\\u0023[error]b'],
    ['##vso[task.setvariable variable=x]y', '#\\u0023vso[task.setvariable variable=x]y'],
    ["##TeamCity[message text='x']", "#\\u0023TeamCity[message text='x']"],
    ['std::string, a ## b, # [c]', 'std::string, a ## b, # [c]'],
  ])('%j becomes %j', (text, safe) => {
    expect(withoutCommands(text)).toBe(safe);
    expect(hasCommands(safe)).toBe(false);
    expect(hasCommands(text)).toBe(text !== safe);
  });

  test('keeps the meaning of JSON and YAML', () => {
    const value = { a: '##[error]x', b: 'x\n::error::y\n', '##vso[k]': 1 };
    expect(JSON.parse(jsonWithoutCommands(JSON.stringify(value)))).toEqual(value);
    const yaml = yamlWithoutCommands('b: |-\n  x\n  ::error::y\n', value);
    expect(hasCommands(yaml)).toBe(false);
    expect(parse(yaml)).toEqual(value);
  });

  test('is escaped in texts for people, and line breaks in names', () => {
    expect(printable('a\u001b[31m\n::x')).toBe('a\\u001b[31m\n\\u003a:x');
    expect(printableLine('a\n::x')).toBe('a\\u000a::x');
    expect(printable('\u2028\u200e\u200b')).toBe('\\u2028\\u200e\\u200b');
    expect(jsonWithoutCommands('"\u009b\u202e"')).toBe('"\\u009b\\u202e"');
  });
});

const evil = String.raw`x\n::error::pwned\n##[error]pwned\n##vso[task.complete]pwned\e[31m\x9b31m\u202e\u2028`;
const files = {
  'policy.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}
  validations:
  - expression: "!has(object.data.evil)"
    messageExpression: object.data.evil
  - expression: "object.data.evil == 'fine'"
    message: "${evil}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny, Audit]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  failurePolicy: Fail
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: '[JSONPatch{op: "add", path: "/data/copy", value: object.data.evil}]'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: m}
spec: {policyName: m}
`,
  'broken.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: "${evil}"}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: ["${evil}"]}
  validations: [{expression: "object.x == '${evil}' +"}]
`,
  'old/policy.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}
  validations: [{expression: "true"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`,
  'rule.yaml': `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: rule}
spec:
  rules:
  - name: "${evil.slice(0, 30)}"
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
    validate: {failureAction: Enforce, message: "${evil} {{ request.object.data.evil }}", deny: {}}
`,
  'object.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: {name: "${evil}", annotations: {a: "${evil}"}}
data: {evil: "${evil}"}
`,
  'settings/kubeadmit.yaml': `lint: {rules: {"${evil}": off}}\n"${evil}": 1\n`,
  'settings/policy.yaml': '',
  'kyverno-test.yaml': `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: "${evil}"}
policies: [rule.yaml, "${evil}"]
resources: [object.yaml]
results: [{policy: rule, rule: "${evil}", resources: ["${evil}"], kind: ConfigMap, result: pass}]
`,
  '##[error]/kyverno-test.yaml': `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: a}
policies: [../rule.yaml]
resources: [../object.yaml]
results: [{policy: rule, rule: x, resources: [a], kind: ConfigMap, result: pass}]
`,
  'a\n::error::x/kyverno-test.yaml': `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: a}
policies: [../rule.yaml]
resources: [../object.yaml]
results: [{policy: rule, rule: x, resources: [a], kind: ConfigMap, result: pass}]
`,
  'kustomized/kustomization.yaml': `resources: ["${evil}", "https://example.com/##[x]"]\n`,
  'chart/Chart.yaml': `apiVersion: v2\nname: "${evil}"\nversion: "${evil}"\n`,
  'chart/templates/a.yaml': `{{ fail "${evil}" }}`,
  'twice.yaml': `"${evil}": 1\n"${evil}": 2\n`,
  'variables.yaml': `x: "${evil}"\n`,
  'cases.ndjson': `${JSON.stringify({
    id: '##[error]x',
    expression: "'##[error]x'",
    context: { x: '##vso[x]' },
    input: { x: '##vso[x]' },
    document: { '##[error]': '{{ x }}' },
    resources: [{ apiVersion: '##[error]', kind: '##vso[x]', metadata: { name: '##[x]' } }],
  })}\n{"id": "##[error]x" ##[error]\n`,
  'suite.admit.yaml': `
policies: [policy.yaml]
object: object.yaml
cases:
- name: "${evil}"
  expect: allowed
`,
};
const objects = ['policy.yaml', 'object.yaml'];
const withFormats = (formats: readonly string[], args: readonly string[]) =>
  formats.map((format) => [...args, '-o', format]);
const runs: readonly (readonly string[])[] = [
  ...withFormats(checkFormats, ['check', ...objects]),
  ...withFormats(checkFormats, ['check', 'rule.yaml', 'object.yaml']),
  ['check', 'broken.yaml', ...objects],
  ['check', '::error::x.yaml', '##[error]y.yaml'],
  ['check', '--::error::x'],
  ...withFormats(lintFormats, ['lint', 'broken.yaml', 'rule.yaml']),
  ...withFormats(testFormats, ['test', 'suite.admit.yaml']),
  ['test', '--list', 'suite.admit.yaml'],
  ['explain', ...objects],
  ['explain', '-v', ...objects],
  ['explain', '-o', 'json', ...objects],
  ['explain', 'rule.yaml', 'object.yaml'],
  ['mutate', ...objects],
  ['mutate', '-o', 'json', ...objects],
  ['mutate', '--diff', ...objects],
  ['convert', 'rule.yaml'],
  ['convert', '--prove', '10', 'rule.yaml'],
  ['diff', 'old', 'policy.yaml', '-r', 'object.yaml'],
  ['diff', 'old', 'policy.yaml', '-r', 'object.yaml', '-o', 'markdown'],
  ['diff', 'old', 'policy.yaml', '-r', 'object.yaml', '-o', 'json'],
  ['lint', '--config', 'settings/kubeadmit.yaml', 'policy.yaml'],
  ['lint', 'settings'],
  ['lint', '--fix', 'broken.yaml'],
  ['lint', 'twice.yaml'],
  ['check', 'twice.yaml', ...objects],
  ['check', 'kustomized'],
  ['check', '-k', 'kustomized'],
  ['check', 'chart'],
  ['check', '-p', 'main:##[error]x', '-r', 'object.yaml'],
  ['check', '-p', 'https://127.0.0.1:1/##[error]x', '-r', 'object.yaml'],
  ['check', '-n', '##[error]x', ...objects],
  ['check', '--kubernetes-version', '##[error]x', ...objects],
  ['check', '--as', '##[error]x', ...objects],
  ['check', '--helm-values', '##[error]x', ...objects],
  ['check', '-o', '##[error]x', ...objects],
  ['check', '-o', 'json=##[error]x/y', ...objects],
  ['check', '--context', '##[error]x', 'object.yaml'],
  ['scan', '--context', '##[error]x'],
  ['test', 'kyverno-test.yaml'],
  ['test', '##[error]x'],
  ['test', '--run', '##[error]x', 'suite.admit.yaml'],
  ['test', '-o', 'json', 'kyverno-test.yaml'],
  ['import', 'kyverno-test.yaml'],
  ['import', '##[error]x'],
  ['import', '--write', '##[error]/kyverno-test.yaml'],
  ['import', 'a\n::error::x/kyverno-test.yaml'],
  ['eval', "'##[error]x' + 1"],
  ['eval', "'\\n::error::x' + '##[error]y'"],
  ['eval', 'x + 1', '-f', 'x=variables.yaml'],
  ['eval', '[x, {x: x}]', '-f', 'x=variables.yaml'],
  ['eval', '-o', 'json', 'x', '-f', 'x=variables.yaml'],
  ...['admit', 'write', 'lint', 'decode', 'validate', 'eval'].map((command) => [
    ...['machine', command, 'cases.ndjson'],
  ]),
  ...['conditions', 'jmespath', 'substitute', 'rules', 'autogen'].map((part) => [
    ...['machine', 'kyverno', part, 'cases.ndjson'],
  ]),
  ['init', '##[error]x', '--ci', 'none'],
  ['init', '--from', '##[error]x'],
  ['completion', '##[error]x'],
  ['convert', '##[error]x'],
  ['convert', 'broken.yaml'],
  ['explain', '##[error]x'],
  ['mutate', 'broken.yaml', 'object.yaml'],
  ['##[error]x'],
  ['help', '##[error]x'],
  ['serve', '--##[error]x'],
  ['lsp', '##[error]x'],
  ['mcp', '##[error]x'],
];

// Names, messages and files of strangers are in all of these reports.
test.each(runs.map((args) => [args.join(' '), args] as const))(
  'kubeadmit %s prints no command and no control character of an input',
  (_, args) =>
    withFiles(files, async (folder) => {
      const home = process.cwd();
      process.chdir(folder);
      try {
        const { stdout, stderr } = await runHere(args);
        // The one format whose own lines are commands has one line for each finding.
        const own = /^::(?:error|warning|notice) file=.*$/gm;
        const printed = `${args.includes('github') ? stdout.replaceAll(own, '') : stdout}\n${stderr}`;
        expect(printed.match(/^\s*::.*|.*##(?:\[|vso\[).*/gm)).toBeNull();
        expect(stdout).not.toMatch(/##(?:\[|vso\[)/);
        expect(stdout + stderr).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/,
        );
      } finally {
        process.chdir(home);
      }
    }),
  60_000,
);

test.each([
  ['empty lines', '\n'.repeat(200_000)],
  ['blanks', ' '.repeat(200_000)],
  ['lines of blanks', ' \n'.repeat(200_000)],
])('a text with many %s is printed in time that grows with its length', (_name, text) => {
  const start = performance.now();
  printable(`a${text}b`);
  oneLine(`a${text}b`);
  expect(hasCommands(`a${text}::b`)).toBe(text.endsWith('\n'));
  expect(performance.now() - start).toBeLessThan(2000);
});
