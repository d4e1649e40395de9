import type { RuleStatus } from '../policy/rule-result.ts';

/** The status of a rule with its message. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
}

/** An outcome as those are told of it who observe a rule; nothing where there is none. */
export function said(outcome: RuleOutcome | undefined): Partial<RuleOutcome> {
  return outcome === undefined ? {} : { status: outcome.status, message: outcome.message };
}
