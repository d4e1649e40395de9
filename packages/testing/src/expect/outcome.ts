import type { Finding, Passage } from '@kubeadmit/chain';
import { compareText } from '@kubeadmit/go';
import type { Expectation, ExpectedVerdict } from '../format/expectation.ts';

/** The result of a case's request, limited to the policies that the expectation selects. */
export interface CaseOutcome {
  /** The findings of the selected policies. */
  readonly findings: readonly Finding[];
  /** Everything that became of the request. */
  readonly passage: Passage;
  /** Validations that failed, by their places in the policy. */
  readonly failedValidations: readonly number[];
  /** Why policies had nothing to do with the request. */
  readonly reasons: readonly string[];
}

/** Returns the part of a passage that an expectation selects. */
export function outcomeOfCase(passage: Passage, expectation: Expectation): CaseOutcome {
  const { policy, binding, rule } = expectation;
  const isMeant = (given: { readonly policy: string; readonly binding?: string }): boolean =>
    (policy === undefined || given.policy === policy) &&
    (binding === undefined || given.binding === undefined || given.binding === binding);
  const evaluations = passage.trace
    .filter((trace) => policy === undefined || trace.policy === policy)
    .flatMap(({ bindings }) =>
      bindings.filter((each) => binding === undefined || each.binding === binding),
    )
    .flatMap((each) => each.evaluations);
  const failed = evaluations.flatMap(({ decisions = [] }) =>
    decisions.flatMap(({ action }, index) => (action === 'admit' ? [] : [index])),
  );
  const findings = passage.findings.filter(
    (finding) => isMeant(finding) && (rule === undefined || isOfRule(finding, rule)),
  );
  return {
    findings,
    passage,
    failedValidations: [...new Set(failed)].sort((a, b) => a - b),
    reasons: findings.flatMap(({ verdict, message }) =>
      verdict === 'skip' && message !== undefined ? [message] : [],
    ),
  };
}

/** Kyverno makes rules for controllers of rules for pods, and calls them after these. */
function isOfRule({ rule }: Finding, wanted: string): boolean {
  return [wanted, `autogen-${wanted}`, `autogen-cronjob-${wanted}`].some((name) => name === rule);
}

/** The verdicts that are true of an outcome, the weightiest first. */
export function verdictsOf(outcome: CaseOutcome): readonly ExpectedVerdict[] {
  const { passage, findings } = outcome;
  if (passage.failure !== undefined) return ['invalid'];
  const has = (verdict: Finding['verdict']): boolean =>
    findings.some((finding) => finding.verdict === verdict);
  if (has('error') || has('ignore')) return ['error'];
  if (has('deny')) return ['denied'];
  if (has('warn') || has('audit')) {
    return [
      ...(has('warn') ? (['warned'] as const) : []),
      ...(has('audit') ? (['audited'] as const) : []),
    ];
  }
  if (has('mutate') && passage.patch.length > 0) return ['mutated', 'allowed'];
  const isMatched = (['allow', 'mutate', 'generate', 'delete'] as const).some(has);
  return isMatched ? ['allowed'] : ['not matched'];
}

/** The verdicts of findings that lead to each expected verdict. */
const findingsOf: Partial<Record<ExpectedVerdict, readonly Finding['verdict'][]>> = {
  denied: ['deny'],
  warned: ['warn'],
  audited: ['audit'],
  error: ['error', 'ignore'],
};

function isBehind(verdict: ExpectedVerdict, finding: Finding): boolean {
  return findingsOf[verdict]?.includes(finding.verdict) === true;
}

/** The texts that policies say, of the findings that make up a verdict. */
export function messagesOf(outcome: CaseOutcome, verdict: ExpectedVerdict): readonly string[] {
  const { passage, findings, reasons } = outcome;
  if (verdict === 'invalid') return passage.failure === undefined ? [] : [passage.failure];
  if (verdict === 'not matched') return reasons;
  const said = findings.flatMap((finding) =>
    isBehind(verdict, finding) && finding.message !== undefined ? [finding.message] : [],
  );
  return [...new Set(said)];
}

/** Returns a short summary of the result for people: `denied by replica-limits: at most 20`. */
export function summaryOf(outcome: CaseOutcome): string {
  const [verdict = 'not matched'] = verdictsOf(outcome);
  const messages = messagesOf(outcome, verdict);
  const said = outcome.findings.filter((finding) => isBehind(verdict, finding));
  const by = [...new Set(said.map(({ policy, plugin = policy }) => plugin))].sort(compareText);
  const who = by.length === 0 ? '' : ` by ${by.join(', ')}`;
  return messages.length === 0 ? `${verdict}${who}` : `${verdict}${who}: ${messages.join('; ')}`;
}
