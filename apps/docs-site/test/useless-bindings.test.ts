import { expect, test } from 'vitest';
import { uselessBindings } from '../src/playground/useless-bindings.ts';

const native = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n';
const binding =
  'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n';
const pod = 'apiVersion: v1\nkind: Pod\n';
const kyverno = 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n';
const opened = { 'policy.yaml': native, 'binding.yaml': binding, 'pod.yaml': pod };

test.each([
  ['a Kyverno policy in place of the policy', { 'policy.yaml': kyverno }, ['binding.yaml']],
  [
    'a CEL policy of Kyverno',
    { 'policy.yaml': kyverno.replace('kyverno.io/v1', 'policies.kyverno.io/v1') },
    ['binding.yaml'],
  ],
  ['a Kyverno policy beside the policy', { 'policy.yaml': `${native}---\n${kyverno}` }, []],
  ['another policy of Kubernetes', { 'policy.yaml': `${native}metadata: {name: a}\n` }, []],
  ['an edited binding', { 'policy.yaml': kyverno, 'binding.yaml': `${binding}spec: {}\n` }, []],
  [
    'a binding in a file with an object',
    { 'policy.yaml': kyverno, 'binding.yaml': `${binding}---\n${pod}` },
    [],
  ],
] as const)('%s', (_, changed, expected) => {
  const files = { ...opened, ...changed };
  const texts = { before: native, after: files['policy.yaml'] };
  expect(uselessBindings(files, opened, texts)).toEqual(expected);
});

test('does nothing while a Kyverno policy is edited', () => {
  const files = { ...opened, 'policy.yaml': `${kyverno}metadata: {name: a}\n` };
  expect(uselessBindings(files, opened, { before: kyverno, after: kyverno })).toEqual([]);
});

test('keeps a file without any object', () => {
  const files = { ...opened, 'policy.yaml': kyverno, 'empty.yaml': '' };
  const all = { ...opened, 'empty.yaml': '' };
  const texts = { before: native, after: kyverno };
  expect(uselessBindings(files, all, texts)).toEqual(['binding.yaml']);
});
