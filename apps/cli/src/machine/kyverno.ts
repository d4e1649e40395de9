import {
  type AutogenCase,
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
  type RulesCase,
} from '@kubeadmit/kyverno';
import { optionalObject, optionalText, ownField } from './fields.ts';
import { type Answer, type Case, CaseFailure } from './lines.ts';

/** Answers a case of `kubeadmit kyverno conditions -`. */
export function answerConditionsCase(input: Case): Answer {
  const context = optionalObject(input, 'context') ?? {};
  return { ...answerConditions({ context, conditions: ownField(input, 'conditions') }, clock()) };
}

/** Answers a case of `kubeadmit kyverno jmespath -`. */
export function answerJmesPathCase(input: Case): Answer {
  const expression = optionalText(input, 'expression') ?? '';
  return { ...answerJmesPath({ expression, input: ownField(input, 'input') }, clock()) };
}

/** Answers a case of `kubeadmit kyverno substitute -`. */
export function answerSubstituteCase(input: Case): Answer {
  const context = optionalObject(input, 'context') ?? {};
  return { ...answerSubstitute({ context, document: ownField(input, 'document') }, clock()) };
}

/** Answers a case of `kubeadmit kyverno rules -`. */
export function answerRulesCase(input: Case): Answer {
  const policies = ownField(input, 'policies') ?? [];
  if (!Array.isArray(policies)) throw new CaseFailure('not a case: `policies` must be a list');
  return { ...answerRules({ ...input, policies } as unknown as RulesCase, clock()) };
}

/** Answers a case of `kubeadmit kyverno autogen -`. */
export function answerAutogenCase(input: Case): Answer {
  const policy = optionalObject(input, 'policy');
  if (policy === undefined) throw new CaseFailure('not a case: `policy` is missing');
  return { ...answerAutogen({ ...input, policy } as unknown as AutogenCase) };
}

/** Functions such as `time_now` see the time of this machine. */
function clock(): { readonly now: number } {
  return { now: Date.now() };
}
