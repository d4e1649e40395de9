import { existsSync, readFileSync } from 'node:fs';
import { parseLines } from '@kubeadmit/test-support';

/** What became of the comparison of one rule with its result. */
export interface ProvenRule {
  /** The file, the policy and the rule. */
  readonly rule: string;
  /**
   * `equal`; `explained` where each request that differs has a reason of its own; `different`; `silent` where neither side had anything
   * to say; `refused` where one side could not be loaded.
   */
  readonly outcome: 'equal' | 'explained' | 'different' | 'silent' | 'refused';
  readonly requests: number;
  /** How many requests differ, by what is the cause in each of them. */
  readonly explained?: readonly { readonly reason: string; readonly requests: number }[];
  /** How many differences without a reason were found before the search ended. */
  readonly open?: number;
  /** Why nothing could be asked. */
  readonly reasons?: readonly string[];
  /** What the same search found of a silent rule when the cause of its silence was taken away. */
  readonly shown?: {
    readonly instead: string;
    readonly requests: number;
    readonly differences: number;
  };
}

/** Why some rules differ from their results or could not be asked, and tests of the collection do not hold. */
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

/** The reasons that somebody found by looking. */
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
