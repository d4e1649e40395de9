import { kubernetesMinor } from '@kubeadmit/kyverno/unstable-internal';
import { expect, test } from 'vitest';
import { policyDialect, ruleDialect } from '../src/cel/dialect.ts';
import { functionsOf } from '../src/cel/function-list.ts';
import { kyvernoDialect, kyvernoRuleDialect } from '../src/cel/kyverno-dialect.ts';
import { createLanguageService } from '../src/index.ts';

const words = { functionWords: {} } as never;
const minors = [30, 31, 32, 33, 34, 35, 36, 37];

const dialects = [
  ...minors.map((minor) => [`policies of 1.${minor}`, policyDialect(minor, words, true)] as const),
  ...minors.map(
    (minor) => [`rules of definitions of 1.${minor}`, ruleDialect(minor, words)] as const,
  ),
  ['policies of Kyverno', kyvernoDialect(words, false, false)],
  ['policies of Kyverno in a namespace', kyvernoDialect(words, true, false)],
  ['policies of Kyverno about images', kyvernoDialect(words, false, true)],
  ['rules of Kyverno', kyvernoRuleDialect(words)],
] as const;

test.each(dialects)('%s: every function that is offered is declared', (_name, dialect) => {
  const undeclared = [...functionsOf(dialect).values()]
    .filter(({ isMacro }) => !isMacro)
    .filter(({ name, forms }) => {
      const call = forms[0]?.isMember === true ? `dyn(1).${name}()` : `${name}()`;
      const { issues } = dialect.base.compile(call);
      return issues.some(({ message }) => message.startsWith('undeclared reference'));
    })
    .map(({ name }) => name);
  expect(undeclared).toEqual([]);
});

test('functions that came after the Kubernetes version of Kyverno are not offered in its policies', async () => {
  expect(kubernetesMinor).toBeLessThan(37);
  const service = await createLanguageService();
  const labelsIn = async (text: string): Promise<readonly string[]> => {
    service.setDocument('file:///policy.yaml', text);
    const line = text.split('\n').findIndex((each) => each.includes('[1].'));
    const character = text.split('\n')[line]?.length ?? 0;
    const items = await service.completion('file:///policy.yaml', { line, character });
    return items.map(({ label }) => label);
  };
  const spec = 'spec:\n  validations:\n  - expression: |-\n      [1].\n';
  const native = `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\n${spec}`;
  const inCel = `apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\nmetadata: {name: p}\n${spec}`;
  const rule = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p}
spec:
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Pod]}}]}
    validate:
      cel:
        expressions:
        - expression: |-
            [1].
`;
  // A server of 1.37 takes functions of 1.36 in new expressions.
  for (const text of [native, inCel, rule]) {
    const labels = await labelsIn(text);
    expect(labels).toContain('distinct');
    expect(labels).not.toContain('includes');
  }
});
