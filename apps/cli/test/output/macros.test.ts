import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { runHere } from '../terminal.ts';

// All macros, whose syntax trees contain generated nodes, inside every kind of output that shows trees.
const calls: readonly string[] = [
  'has(object.spec.replicas)',
  '[1, 2].all(x, x > 0)',
  '[1, 2].exists(x, x > 1)',
  '[1, 2].exists_one(x, x > 1)',
  '[1, 2].map(x, x + 1)',
  '[1, 2].map(x, x > 1, x + 1)',
  '[1, 2].filter(x, x > 1)',
  '[1, 2].sortBy(x, -x)',
  'object.spec.?replicas.optMap(x, x + 1)',
  'object.spec.?replicas.optFlatMap(x, optional.of(x))',
  '[1, 2].all(i, x, i < x)',
  '[1, 2].exists(i, x, i < x)',
  '[1, 2].existsOne(i, x, i < x)',
  '[1, 2].transformList(i, x, i + x)',
  "{'a': 1}.transformMap(k, x, x + 1)",
  "{'a': 1}.transformMapEntry(k, x, {k: x})",
];

const frames: readonly string[] = [
  'CALL == CALL',
  '(CALL == CALL ? CALL : CALL) == CALL',
  '[CALL].all(y, y == y) || !(CALL == CALL)',
  'optional.of(CALL).optMap(y, y == y).orValue(false) && CALL == CALL',
  "{'a': CALL, 'b': CALL}.a == [CALL, CALL][0]",
  '[CALL, CALL].sortBy(y, CALL == y).map(y, CALL).size() >= 0',
  "type(dyn(CALL)) != string && string(size([CALL])) == '1'",
];

const expressions = frames.flatMap((frame) => calls.map((call) => frame.replaceAll('CALL', call)));

const validations = expressions.map(
  (expression) => `  - expression: ${JSON.stringify(expression)}\n`,
);
const folder = folderUntil(afterAll, {
  'policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: macros}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
${validations.join('')}  - expression: object.spec.replicas < 3
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: macros}
spec: {policyName: macros, validationActions: [Deny]}
`,
  'web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`,
});
const policy = join(folder, 'policy.yaml');

test('all are true', async () => {
  const { exitCode, stderr } = await runHere(['check', folder]);
  expect([exitCode, stderr]).toEqual([0, '']);
});

test('lint reports nothing about absent fields', async () => {
  const { stdout, stderr } = await runHere(['lint', folder, '-o', 'json']);
  const { issues } = JSON.parse(stdout) as { readonly issues: readonly { code: string }[] };
  expect(stderr).toBe('');
  expect([...new Set(issues.map(({ code }) => code))]).toEqual(['constant-expression']);
});

test.each([[[]], [['-v']]])('explain %s tells of each', async (options) => {
  const { stdout, stderr } = await runHere(['explain', folder, ...options, '-o', 'json']);
  expect(stderr).toBe('');
  for (const index of expressions.keys()) {
    expect(stdout).toContain(`spec.validations[${index}].expression`);
  }
});

test('a search for differences asks about the parts of each', async () => {
  const after = join(folder, 'after.yaml');
  writeFileSync(after, readFileSync(policy, 'utf8').replace('[Deny]', '[Deny, Audit]'));
  const { exitCode, stderr } = await runHere(['diff', policy, after, '--search', '20']);
  expect([exitCode, stderr]).toEqual([1, '']);
  rmSync(after);
});
