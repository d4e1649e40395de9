import type { Difference, Differences, Judgement } from '@kubeadmit/difference';
import { oldError } from '@kubeadmit/difference/unstable-internal';
import { stringifyJson } from '@kubeadmit/go';
import type { RuleConversion } from './conversion.ts';

type Outcome = Partial<Pick<RuleConversion, 'status' | 'reason' | 'weaker' | 'stricter'>>;

/**
 * Returns the changes to the report of a rule that follow from the differences found by a search.
 *
 * Without differences, the result is empty.
 *
 * @param compared what was compared: the rule alone, all rules of its policy together, or these in another order
 */
export function differenceOutcome(
  rule: RuleConversion,
  { differences }: Differences,
  compared: Compared = 'alone',
): Outcome {
  const [first] = differences.filter(({ reason }) => reason === undefined);
  const shown = first ?? differences[0];
  if (shown === undefined) return {};
  const isWeaker = differences.some(({ old, new: now }) => severity(old) > severity(now));
  const isStricter = differences.some(({ old, new: now }) => severity(old) < severity(now));
  return {
    status: 'partial',
    reason: [rule.reason, differenceReason(shown, compared)]
      .filter((text) => text !== undefined)
      .join('; '),
    ...(rule.weaker === true || isWeaker ? { weaker: true } : {}),
    ...(rule.stricter === true || isStricter ? { stricter: true } : {}),
  };
}

type Compared = 'alone' | 'together' | 'ordered';

const subjects: Readonly<Record<Compared, string>> = {
  alone: 'a search found a difference: the rule',
  together: 'a search found a difference: the policy with all of its rules',
  ordered:
    'the rules depend on each other, but a server runs admission policies in any order: the policy with all of its rules',
};

function differenceReason(difference: Difference, compared: Compared): string {
  const { request, old, new: now, reason, missing = [] } = difference;
  const { operation, object, oldObject } = request;
  const shown = object ?? oldObject ?? null;
  const before =
    operation === 'UPDATE' && oldObject ? ` (before: ${stringifyJson(oldObject).trim()})` : '';
  const [left, right] = [reason === oldError ? 'ends in an error for' : verbOf(old), verbOf(now)];
  const verdicts =
    left === right
      ? 'and the result change the object differently'
      : `${left} the request, and the result ${right} it`;
  const state = missing.length === 0 ? '' : ` if ${missing.join(' and ')} does not exist`;
  return `${subjects[compared]} ${verdicts}${state}: ${operation} ${stringifyJson(shown).trim()}${before}`;
}

const verbs = { allow: 'allows', change: 'changes', report: 'reports', deny: 'denies' } as const;

function verbOf(judgement: Judgement): string {
  if (severity(judgement) === 2) return verbs.deny;
  if (severity(judgement) === 1) return verbs.report;
  return judgement.object === undefined ? verbs.allow : verbs.change;
}

// Allowed, reported, or denied.
function severity({ allowed, audited = [], warnings = [] }: Judgement): number {
  if (!allowed) return 2;
  return audited.length + warnings.length > 0 ? 1 : 0;
}
