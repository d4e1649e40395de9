import type { Verdict } from '@kubeadmit/chain';
import { isAudited } from '@kubeadmit/chain/findings';
import { type CheckedObject, type Outcome, outcomeOf, type Report, rowsOf } from '@kubeadmit/check';
import type { InputProblem } from '@kubeadmit/manifest';

/** How many objects and findings came out in which way. */
export interface Tally {
  objects: number;
  denied: number;
  /** Objects that an error of ours kept from being checked. */
  broken: number;
  /** Findings of the action Audit. */
  audits: number;
  /** The names of policies with errors. */
  readonly failed: Set<string>;
  readonly outcomes: Record<Outcome, number>;
  readonly verdicts: Record<Verdict, number>;
}

/** A tally of nothing. */
export function emptyTally(): Tally {
  return {
    objects: 0,
    denied: 0,
    broken: 0,
    audits: 0,
    failed: new Set(),
    outcomes: {
      denied: 0,
      invalid: 0,
      failed: 0,
      warned: 0,
      audited: 0,
      'error ignored': 0,
      changed: 0,
      allowed: 0,
      valid: 0,
      'not matched': 0,
    },
    verdicts: {
      allow: 0,
      deny: 0,
      warn: 0,
      audit: 0,
      mutate: 0,
      generate: 0,
      delete: 0,
      error: 0,
      ignore: 0,
      skip: 0,
    },
  };
}

/** Counts an object and its findings. */
export function countObject(tally: Tally, object: CheckedObject): void {
  tally.objects++;
  if (!object.allowed) tally.denied++;
  if (object.isBroken === true) tally.broken++;
  tally.outcomes[outcomeOf(object)]++;
  for (const finding of rowsOf(object)) {
    tally.verdicts[finding.verdict]++;
    if (isAudited(finding)) tally.audits++;
    const { verdict, policy } = finding;
    if (verdict === 'error' || verdict === 'ignore') tally.failed.add(policy);
  }
}

/** The parts of a report that are not about single objects. */
export interface CheckSummary extends Omit<Report, 'objects'> {
  readonly tally: Tally;
  /** Whether no policy was given, so that objects are only validated. */
  readonly isSchemaCheck?: boolean | undefined;
  /** The manifests that were found and not read, each with the reason. */
  readonly skipped: readonly InputProblem[];
  /** Set if there are policies and none of them judged an object; a warning with `--allow-nothing`. */
  readonly nothingJudged: 'error' | 'warning' | undefined;
  /** The errors of `--strict`: unused policies and bindings, missing namespaces; empty without the option. */
  readonly idle: readonly string[];
  /** The file of the first policy: the place of findings about all policies. */
  readonly policyFile: string | undefined;
}
