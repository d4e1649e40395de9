import { existsSync, readFileSync } from 'node:fs';
import { parseLines } from '@kubeadmit/test-support';

/** The result of comparing one rule with its conversion. */
export interface ProvenRule {
  /** The file, the policy and the rule. */
  readonly rule: string;
  /**
   * The outcome of the comparison.
   *
   * `equal`; `explained`: each differing request has a known cause; `different`; `silent`: neither side reported
   * anything; `refused`: one side could not be loaded.
   */
  readonly outcome: 'equal' | 'explained' | 'different' | 'silent' | 'refused';
  readonly requests: number;
  /** The number of differing requests, by their cause. */
  readonly explained?: readonly { readonly reason: string; readonly requests: number }[];
  /** How many differences without a reason were found before the search ended. */
  readonly open?: number;
  /** The reasons for which nothing could be compared. */
  readonly reasons?: readonly string[];
  /** The result of the same search for a silent rule after the cause was removed. */
  readonly shown?: {
    readonly instead: string;
    readonly requests: number;
    readonly differences: number;
  };
}

/** The reasons for rules that differ or could not be compared, and for failing tests of the collection. */
export interface KnownOutcome {
  readonly outcome: 'different' | 'silent' | 'refused' | 'test';
  readonly reason: string;
  /** Parts of the names of rules. */
  readonly rules: readonly string[];
  /** For `different`: the kind of the requests for which it is the reason. */
  readonly kind?: string;
}

/** The rules of a record, one a line; none where there is no such file. */
export function readProofs(file: string | URL): readonly ProvenRule[] {
  return existsSync(file) ? parseLines(readFileSync(file, 'utf8')) : [];
}

/** The reasons that were found by manual review. */
export function readKnown(): readonly KnownOutcome[] {
  const url = new URL('../data/known-outcomes.json', import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as readonly KnownOutcome[];
}

/** How many rules came out how. */
export function tableOf(rules: readonly ProvenRule[]): string {
  const outcomes = ['equal', 'explained', 'different', 'silent', 'refused'] as const;
  const counts = outcomes.map(
    (outcome) => `${rules.filter((each) => each.outcome === outcome).length} ${outcome}`,
  );
  const requests = rules.reduce((sum, each) => sum + each.requests, 0);
  return `${rules.length} rules, ${requests} requests: ${counts.join(', ')}`;
}
