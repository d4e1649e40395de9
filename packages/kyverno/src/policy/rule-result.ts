import type { JsonObject } from '@kubeadmit/apimachinery';

/** What became of a rule. */
export type RuleStatus = 'pass' | 'fail' | 'warning' | 'error' | 'skip';

/** Whether a result belongs to mutation or validation. */
export type RuleType = 'Mutation' | 'Validation';

/** The effective failure action of a failed validation. */
export type FailureAction = 'Audit' | 'Enforce';

/** The result of one rule for one request. */
export interface RuleResult {
  readonly rule: string;
  readonly type: RuleType;
  readonly status: RuleStatus;
  readonly message: string;
  readonly action?: FailureAction;
  /** The existing object that the rule changed (`mutate.targets`), as it is afterwards. */
  readonly target?: JsonObject;
}
