import {
  type AutogenCase,
  answerAutogen,
  answerJmesPath,
  answerSubstitute,
  type ConditionsCase,
  prepareConditions,
  prepareRules,
  type RulesCase,
} from '@kubeadmit/kyverno';
import { policyJson } from '../kyverno/json.ts';
import { optionalObject, optionalText, ownField } from './fields.ts';
import { type Answer, type Case, CaseFailure } from './lines.ts';
import { measure } from './measure.ts';

/** Answers a case of `kubeadmit kyverno conditions -`. */
export function answerConditionsCase(input: Case): Answer {
  return { ...prepareConditions(readConditions(input), clock())() };
}

/** Answers a case of `kubeadmit bench kyverno-conditions -`. */
export function benchConditionsCase(input: Case): Answer {
  return measure(prepareConditions(readConditions(input), clock()));
}

function readConditions(given: Case): ConditionsCase {
  const input = policyJson(given);
  const context = optionalObject(input, 'context') ?? {};
  return { context, conditions: ownField(input, 'conditions') };
}

/** Answers a case of `kubeadmit kyverno jmespath -`. */
export function answerJmesPathCase(given: Case): Answer {
  const input = policyJson(given);
  const expression = optionalText(input, 'expression') ?? '';
  return { ...answerJmesPath({ expression, input: ownField(input, 'input') }, clock()) };
}

/** Answers a case of `kubeadmit kyverno substitute -`. */
export function answerSubstituteCase(given: Case): Answer {
  const input = policyJson(given);
  const context = optionalObject(input, 'context') ?? {};
  return { ...answerSubstitute({ context, document: ownField(input, 'document') }, clock()) };
}

/** Answers a case of `kubeadmit kyverno rules -`. */
export function answerRulesCase(input: Case): Answer {
  return { ...prepareRules(readRules(input), clock())() };
}

/** Answers a case of `kubeadmit bench kyverno-rules -`. */
export function benchRulesCase(input: Case): Answer {
  return measure(prepareRules(readRules(input), clock()));
}

function readRules(given: Case): RulesCase {
  const input = policyJson(given);
  const policies = ownField(input, 'policies') ?? [];
  if (!Array.isArray(policies)) throw new CaseFailure('not a case: `policies` must be a list');
  return { ...input, policies };
}

/** Answers a case of `kubeadmit kyverno autogen -`. */
export function answerAutogenCase(given: Case): Answer {
  const input = policyJson(given);
  const policy = optionalObject(input, 'policy');
  if (policy === undefined) throw new CaseFailure('not a case: `policy` is missing');
  return { ...answerAutogen({ ...input, policy } as unknown as AutogenCase) };
}

/** Functions such as `time_now` see the time of this machine. */
function clock(): { readonly now: number } {
  return { now: Date.now() };
}
