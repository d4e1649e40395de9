import type { JsonObject } from '@kubeadmit/apimachinery';

/** What became of a rule. */
export type RuleStatus = 'pass' | 'fail' | 'warning' | 'error' | 'skip';

/** Whether a result belongs to mutation or validation. */
export type RuleType = 'Mutation' | 'Validation';

/** The effective failure action of a failed validation. */
export type FailureAction = 'Audit' | 'Enforce';

/** The result of one rule for one request. */
export interface RuleResult {
  /** The name of the rule. */
  readonly rule: string;
  /** What the rule does. */
  readonly type: RuleType;
  /** What came of it. */
  readonly status: RuleStatus;
  /** For people; may be empty. */
  readonly message: string;
  /** What the failure of a validation means; absent without one. */
  readonly action?: FailureAction;
  /** The existing object that the rule changed (`mutate.targets`), as it is afterwards. */
  readonly target?: JsonObject;
}
