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
  });
});

const evil = String.raw`x\n::error::pwned\n##[error]pwned\n##vso[task.complete]pwned\e[31m`;
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
        expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
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
