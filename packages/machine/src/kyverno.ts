import { timeOn } from '@kubeadmit/base';
import { policyJson } from '@kubeadmit/chain/kyverno';
import {
  type AutogenCase,
  answerAutogen,
  answerJmesPath,
  answerSubstitute,
  prepareConditions,
  prepareRules,
  type RulesCase,
} from '@kubeadmit/kyverno/unstable-internal';
import { type Case, CaseFailure } from './case.ts';
import { optionalObject, optionalText, ownField } from './fields.ts';

/** A part of Kyverno's rules that cases are about, as `kubeadmit kyverno` names it. */
export type KyvernoPart = 'conditions' | 'jmespath' | 'substitute' | 'rules' | 'autogen';

/** Reads and compiles a case; the result answers it repeatedly. */
type Prepare = (input: Case, options: { readonly now: number }) => () => object;

const parts: Readonly<Record<KyvernoPart, Prepare>> = {
  conditions: (input, options) =>
    prepareConditions(
      { context: contextOf(input), conditions: ownField(input, 'conditions') },
      options,
    ),
  jmespath: (input, options) => {
    const expression = optionalText(input, 'expression') ?? '';
    return () => answerJmesPath({ expression, input: ownField(input, 'input') }, options);
  },
  substitute: (input, options) => {
    const given = { context: contextOf(input), document: ownField(input, 'document') };
    return () => answerSubstitute(given, options);
  },
  rules: (input, options) => {
    const policies = ownField(input, 'policies') ?? [];
    if (!Array.isArray(policies)) throw new CaseFailure('not a case: `policies` must be a list');
    return prepareRules({ ...input, policies } as RulesCase, options);
  },
  autogen: (input) => {
    const policy = optionalObject(input, 'policy');
    if (policy === undefined) throw new CaseFailure('not a case: `policy` is missing');
    return () => answerAutogen({ ...input, policy } as unknown as AutogenCase);
  },
};

/**
 * Prepares the cases of a part of Kyverno's rules.
 *
 * @param clock milliseconds since 1970; functions such as `time_now` ask it once for each case.
 */
export function createKyvernoPreparer(
  part: KyvernoPart,
  clock: () => number,
): (input: Case) => () => object {
  return (input) => parts[part](policyJson(input), { now: timeOn(clock) });
}

function contextOf(input: Case): Case {
  return optionalObject(input, 'context') ?? {};
}
