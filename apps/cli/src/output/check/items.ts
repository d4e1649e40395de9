import type { Finding, Verdict } from '@kubeadmit/chain';
import { isWarning } from '@kubeadmit/chain/findings';
import { type CheckedObject, rowsOf, shownName } from '@kubeadmit/check';
import type { Level, ReportItem } from '../report.ts';

const outcomes: Readonly<Record<Verdict, readonly [ReportItem['outcome'], Level]>> = {
  allow: ['pass', 'none'],
  mutate: ['pass', 'none'],
  generate: ['pass', 'none'],
  delete: ['pass', 'none'],
  skip: ['skip', 'none'],
  audit: ['pass', 'note'],
  ignore: ['skip', 'warning'],
  warn: ['pass', 'warning'],
  deny: ['fail', 'error'],
  error: ['error', 'error'],
};

/**
 * Returns the report items of an object: one for each policy that matched it.
 *
 * @param seconds the time that it took; all policies are evaluated together, so the first item has the time.
 */
export function itemsOf(object: CheckedObject, seconds: number | undefined): readonly ReportItem[] {
  const { kind, operation, file, place, line } = object;
  const title = `${kind} ${shownName(object)}`;
  return strongest(rowsOf(object)).map((finding, index) => {
    const [outcome, level] = outcomes[weightOf(finding)];
    return {
      rule: ruleOf(finding),
      name: operation === 'CREATE' ? title : `${operation} ${title}`,
      outcome,
      level,
      message: messageOf(finding),
      file,
      line: finding.line ?? place?.line ?? line,
      column: place?.column ?? 1,
      seconds: index === 0 ? seconds : undefined,
    };
  });
}

/** The verdict whose weight a finding has: that of its actions for an error that does not deny. */
function weightOf(finding: Finding): Verdict {
  const { verdict, actions } = finding;
  if (verdict !== 'error' || actions === undefined) return verdict;
  return isWarning(finding) ? 'warn' : 'audit';
}

function messageOf({ verdict, message = '' }: Finding): string {
  return verdict === 'ignore' ? `error ignored (failurePolicy: Ignore): ${message}` : message;
}

/** One finding where a binding has several actions for the same failure, such as Deny and Audit. */
function strongest(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string | symbol, Finding>();
  for (const finding of findings) {
    const { policy, plugin, binding, params, rule, message, verdict } = finding;
    const isFailure = strengths.includes(verdict);
    const key = isFailure
      ? JSON.stringify([policy, plugin, binding, params, rule, message])
      : Symbol('not merged');
    const before = kept.get(key);
    const isWeaker =
      before !== undefined && strengths.indexOf(before.verdict) <= strengths.indexOf(verdict);
    if (!isWeaker) kept.set(key, finding);
  }
  return [...kept.values()];
}

/** The actions of a failure, the strongest first. */
const strengths: readonly Verdict[] = ['deny', 'warn', 'audit'];

/** The rules of findings that no policy made. */
const ownRules: Readonly<Partial<Record<Verdict, string>>> = { skip: 'no-policy', allow: 'schema' };

function ruleOf({ policy, plugin, rule, verdict }: Finding): string {
  if (plugin !== undefined) return plugin;
  if (policy === '') return ownRules[verdict] ?? 'invalid';
  return rule === undefined ? policy : `${policy}/${rule}`;
}
