import type { Differences, ResultCost, RuleConversion } from '@kubeadmit/convert';
import { stringifyJson } from '@kubeadmit/go/internal';
import { counted } from '../output/counts.ts';

/** What is told of a rule besides what has no equal: costs near their limit, and what its proof found. */
export function warningsOf(
  rule: RuleConversion,
  place: string,
  costs: readonly ResultCost[],
  proof: Differences | undefined,
): readonly string[] {
  return [
    ...costs.filter(({ isNear }) => isNear).map((cost) => costText(rule, place, cost)),
    ...(proof !== undefined && proof.assumed.length > 0 ? [assumedText(rule, place, proof)] : []),
    ...(proof?.covered.old === 0 ? [unprovenText(rule, place, proof)] : []),
    ...(proof !== undefined && proof.differences.length > 0
      ? [differenceText(rule, place, proof)]
      : []),
  ];
}

// Objects of kinds that nothing describes are made up, and the proof holds for such ones.
function assumedText(told: RuleConversion, where: string, { assumed }: Differences): string {
  const kinds = assumed.join(', ');
  return `${where}: ${titleOf(told)}: proven with any fields for ${kinds}, whose definition is not among the inputs\n`;
}

// What was never asked, or never answered but by silence, is not proven.
function unprovenText(told: RuleConversion, where: string, proof: Differences): string {
  const why =
    proof.requests === 0
      ? 'no request could be made for its kinds'
      : `the rule had nothing to say of ${proof.requests} requests`;
  return `${where}: ${titleOf(told)}: not proven: ${why}\n`;
}

function titleOf({ policy, rule }: RuleConversion): string {
  return rule === undefined ? policy : `${policy}, rule ${rule}`;
}

function differenceText(told: RuleConversion, where: string, proof: Differences): string {
  const [first] = proof.differences;
  const count = proof.more ? `${proof.differences.length} or more` : proof.differences.length;
  const object = stringifyJson(first?.request.object ?? null).trim();
  const reasons = proof.explained.map(
    ({ reason, requests }) => `${where}: ${titleOf(told)}: ${requests} of them: ${reason}\n`,
  );
  return `${where}: ${titleOf(told)}: ${count} of ${proof.requests} requests are judged otherwise, the first one about ${object}\n${reasons.join('')}`;
}

// Beyond its limits a policy ends in an error, and with it the request, where its failure policy is Fail.
function costText(told: RuleConversion, where: string, cost: ResultCost): string {
  const { policy, bytes, expression, policyTotal, conditions, withinBytes } = cost;
  const said = [
    `an expression costs ${expression} of 1000000`,
    `the policy ${policyTotal} of 10000000`,
    ...(conditions === 0 ? [] : [`its match conditions ${conditions} of 2500000`]),
  ];
  const limit =
    withinBytes === undefined
      ? `near the limits for an object of ${bytes} bytes`
      : `over a limit for an object of ${bytes} bytes, and within them for one of ${withinBytes}`;
  return `${where}: ${titleOf(told)}: ${policy} is ${limit}: ${said.join(', ')}\n`;
}

/** What became of a rule that is not converted as it is. */
export function ruleText(told: RuleConversion, where: string): string {
  const { status, reason = '', weaker, stricter } = told;
  const outcome =
    status === 'none'
      ? 'not converted'
      : status === 'partial'
        ? 'converted in part'
        : weaker || stricter
          ? `converted, ${[...(weaker ? ['weaker'] : []), ...(stricter ? ['stricter'] : [])].join(' and ')} than the rule`
          : 'converted, with what differs';
  return `${where}: ${titleOf(told)}: ${outcome}: ${reason}\n`;
}

/** How many rules became what. */
export function summaryOf(told: readonly RuleConversion[]): string {
  const count = (status: RuleConversion['status']): number =>
    told.filter((rule) => rule.status === status).length;
  return `${counted(told.length, 'rule')}: ${count('converted')} converted, ${count('partial')} in part, ${count('none')} not`;
}
