import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { type ExpressionInput, evaluateExpression, validatePolicyObject } from '../src/index.ts';
import { PolicyCompilers } from '../src/internal.ts';

// Cases that explain the phases of CEL, the libraries of Kubernetes and the validation of policies:
// kube-apiserver's own answers, with a name that says why.

type Lesson<Input, Answer> = Input & { readonly name: string; readonly answer: Answer };

function lessonsOf<Input, Answer>(subject: string): readonly Lesson<Input, Answer>[] {
  return readLines(new URL(`lessons/${subject}.ndjson`, import.meta.url));
}

describe('checking an expression', () => {
  test.each(lessonsOf<ExpressionInput, object>('check'))(
    '$name',
    ({ name: _, answer, ...input }) => {
      const { type, issues } = evaluateExpression(input);
      expect({ type, issues }).toEqual(answer);
    },
  );
});

describe.each(['plan', 'libraries'])('evaluating an expression: %s', (subject) => {
  test.each(lessonsOf<ExpressionInput, object>(subject))(
    '$name',
    ({ name: _, answer, ...input }) => {
      expect(evaluateExpression(input)).toEqual(answer);
    },
  );
});

describe('validating a policy', () => {
  const checkers = new PolicyCompilers(37);
  test.each(lessonsOf<{ readonly policy: KubernetesObject }, readonly string[]>('policy'))(
    '$name',
    ({ policy, answer }) => {
      const errors = validatePolicyObject('ValidatingAdmissionPolicy', policy, { checkers });
      expect(errors.map(({ field, body }) => `${field}: ${body}`)).toEqual(answer);
    },
  );
});
