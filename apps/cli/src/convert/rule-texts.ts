import type { ProvenRule, ResultCost } from '@kubeadmit/convert';
import type { Differences } from '@kubeadmit/difference';
import { counted } from '../output/counts.ts';

type Rule = Omit<ProvenRule, 'proof'>;

/** The warnings about results whose costs are near their limits. */
export function warningsOf(rule: Rule, place: string, costs: readonly ResultCost[]): string[] {
  return costs.filter(({ isNear }) => isNear).map((cost) => costText(rule, place, cost));
}

/** Describes the longer search for a rule, and its result. */
export function proofText(rule: Rule, place: string, proof: Differences): readonly string[] {
  const { requests, generated, differences, explained, assumed, covered, more } = proof;
  // Unreached conditions are not reported for a rule that decided nothing.
  const unreached = covered.old === 0 ? [] : proof.unreached;
  const start = `${place}: ${titleOf(rule)}: `;
  const count = more ? `${differences.length} or more` : String(differences.length);
  const compared = `${requestCount(requests, 'different ')}${
    requests === generated ? '' : ` (${generated.toLocaleString('en-US')} generated)`
  }`;
  const found =
    requests === 0
      ? 'not compared: no request could be generated for its kinds'
      : covered.old === 0
        ? `not compared: the rule decided none of ${compared}`
        : differences.length === 0
          ? `no difference in ${compared}`
          : `${count === '1' ? '1 difference' : `${count} differences`} in ${compared}`;
  const conditions = (['true', 'false'] as const).flatMap((never) => {
    const own = unreached.filter((each) => each.never === never);
    return own.length === 0 ? [] : [`${counted(own.length, 'condition')} never ${never}`];
  });
  return [
    `${start}${[found, ...conditions].join('; ')}\n`,
    ...unreached.map(
      ({ condition, never }) => `  never ${never}: ${condition.replace(/(?<!\s)\s*\n\s*/g, ' ')}\n`,
    ),
    ...explained.map(({ reason, requests: number }) => `  ${requestCount(number)}: ${reason}\n`),
    ...(assumed.length === 0
      ? []
      : [
          `  the fields of ${assumed.join(', ')} are unknown, because the inputs contain no definition; any field was assumed to exist\n`,
        ]),
  ];
}

function requestCount(count: number, adjective: string = ''): string {
  return count === 1 ? '1 request' : `${count.toLocaleString('en-US')} ${adjective}requests`;
}

function titleOf({ policy, rule }: Rule): string {
  return rule === undefined ? policy : `${policy}, rule ${rule}`;
}

// Beyond its limits a policy ends in an error, and with it the request, where its failure policy is Fail.
function costText(told: Rule, where: string, cost: ResultCost): string {
  const { policy, bytes, expression, policyTotal, conditions, withinBytes } = cost;
  const said = [
    `an expression costs ${expression} of 1000000`,
    `the policy ${policyTotal} of 10000000`,
    ...(conditions === 0 ? [] : [`its match conditions ${conditions} of 2500000`]),
  ];
  const limit =
    withinBytes === undefined
      ? `near the limits for an object of ${bytes} bytes`
      : `over a limit for an object of ${bytes} bytes, and within the limits for one of ${withinBytes}`;
  return `${where}: ${titleOf(told)}: ${policy} is ${limit}: ${said.join(', ')}\n`;
}

/** The outcome of a rule that is not converted in full, or differs on request. */
export function ruleText(told: Rule, where: string): string {
  const { status, reason, weaker, stricter } = told;
  if (reason === undefined) return '';
  const flags = [...(weaker ? ['weaker'] : []), ...(stricter ? ['stricter'] : [])];
  const than = flags.length === 0 ? '' : `, ${flags.join(' and ')} than the rule`;
  const outcome = status === 'none' ? 'not converted' : `partly converted${than}`;
  const said = status === 'converted' ? 'converted' : outcome;
  return `${where}: ${titleOf(told)}: ${said}: ${reason}\n`;
}

/** How many rules had which outcome. */
export function summaryOf(told: readonly Rule[]): string {
  const count = (status: Rule['status']): number =>
    told.filter((rule) => rule.status === status).length;
  return `${counted(told.length, 'rule')}: ${count('converted')} converted, ${count('partial')} partly converted, ${count('none')} not converted`;
}
