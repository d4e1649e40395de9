import type { RuleStatus } from './rule-result.ts';

/** The status of a rule with its message. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The exceptions because of which the rule was not evaluated, as `NAMESPACE/NAME`. */
  readonly exceptions?: readonly string[];
  /** The properties that reports add to the result. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** Returns the form of an outcome that observers receive; empty without an outcome. */
export function said(outcome: RuleOutcome | undefined): Partial<RuleOutcome> {
  return outcome === undefined ? {} : { status: outcome.status, message: outcome.message };
}
