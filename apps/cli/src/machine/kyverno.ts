import { answerConditions, answerJmesPath, answerSubstitute } from '@kubeadmit/kyverno';
import { optionalObject, optionalText, ownField } from './fields.ts';
import type { Answer, Case } from './lines.ts';

/** Answers a case of `kubeadmit kyverno conditions -`. */
export function answerConditionsCase(input: Case): Answer {
  const context = optionalObject(input, 'context') ?? {};
  return { ...answerConditions({ context, conditions: ownField(input, 'conditions') }) };
}

/** Answers a case of `kubeadmit kyverno jmespath -`. */
export function answerJmesPathCase(input: Case): Answer {
  const expression = optionalText(input, 'expression') ?? '';
  return { ...answerJmesPath({ expression, input: ownField(input, 'input') }) };
}

/** Answers a case of `kubeadmit kyverno substitute -`. */
export function answerSubstituteCase(input: Case): Answer {
  const context = optionalObject(input, 'context') ?? {};
  return { ...answerSubstitute({ context, document: ownField(input, 'document') }) };
}
