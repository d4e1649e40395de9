import { timeOn } from '@kubeadmit/go/internal';
import {
  type AutogenCase,
  answerAutogen,
  answerJmesPath,
  answerSubstitute,
  type ConditionsAnswer,
  type ConditionsCase,
  prepareConditions,
  prepareRules,
  type RulesAnswer,
  type RulesCase,
} from '@kubeadmit/kyverno/internal';
import { policyJson } from '@kubeadmit/lint/kyverno';
import { type Answer, type Answerer, type Case, CaseFailure } from './case.ts';
import { optionalObject, optionalText, ownField } from './fields.ts';

/** Gives the time in milliseconds since 1970; functions such as `time_now` ask it once for each case. */
export type Clock = () => number;

/** Answers the cases of `kubeadmit kyverno conditions -`. */
export function createConditionsAnswerer(clock: Clock): Answerer {
  const prepare = createConditionsPreparer(clock);
  return (input) => ({ ...prepare(input)() });
}

/** Prepares the same cases: what is run is the evaluation of compiled conditions. */
export function createConditionsPreparer(clock: Clock): (input: Case) => () => ConditionsAnswer {
  return (input: Case) => prepareConditions(readConditions(input), { now: timeOn(clock) });
}

function readConditions(given: Case): ConditionsCase {
  const input = policyJson(given);
  const context = optionalObject(input, 'context') ?? {};
  return { context, conditions: ownField(input, 'conditions') };
}

/** Answers the cases of `kubeadmit kyverno jmespath -`. */
export function createJmesPathAnswerer(clock: Clock): Answerer {
  return (given) => {
    const input = policyJson(given);
    const expression = optionalText(input, 'expression') ?? '';
    const search = { expression, input: ownField(input, 'input') };
    return { ...answerJmesPath(search, { now: timeOn(clock) }) };
  };
}

/** Answers the cases of `kubeadmit kyverno substitute -`. */
export function createSubstituteAnswerer(clock: Clock): Answerer {
  return (given) => {
    const input = policyJson(given);
    const context = optionalObject(input, 'context') ?? {};
    const document = ownField(input, 'document');
    return { ...answerSubstitute({ context, document }, { now: timeOn(clock) }) };
  };
}

/** Answers the cases of `kubeadmit kyverno rules -`. */
export function createRulesAnswerer(clock: Clock): Answerer {
  const prepare = createRulesPreparer(clock);
  return (input) => ({ ...prepare(input)() });
}

/** Prepares the same cases: what is run are compiled rules on a resource. */
export function createRulesPreparer(clock: Clock): (input: Case) => () => RulesAnswer {
  return (input: Case) => prepareRules(readRules(input), { now: timeOn(clock) });
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
