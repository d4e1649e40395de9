import type { RuleStatus } from '../policy/rule-result.ts';

/** The status of a rule with its message. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
}
