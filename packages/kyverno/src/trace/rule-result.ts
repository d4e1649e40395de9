import type { JsonObject } from '@kubeadmit/apimachinery';

/** The outcome of a rule. */
export type RuleStatus = 'pass' | 'fail' | 'warning' | 'error' | 'skip';

/** Whether a result belongs to mutation, verification of images, validation, generation or deletion. */
export type RuleType = 'Mutation' | 'ImageVerify' | 'Validation' | 'Generation' | 'Deletion';

/** The effective failure action of a failed validation. */
export type FailureAction = 'Audit' | 'Enforce';

/** The result of one rule for one request. */
export interface RuleResult {
  /** The name of the rule; empty if the webhook of the policy was not called. */
  readonly rule: string;
  /** The type of the rule. */
  readonly type: RuleType;
  /** The outcome. */
  readonly status: RuleStatus;
  /** For people; may be empty. */
  readonly message: string;
  /** Whether a match condition of the policy's webhook failed, so that no rule was evaluated. */
  readonly isWebhookFailure?: true;
  /** The action of a failed validation or verification of images; absent otherwise. */
  readonly action?: FailureAction;
  /** The existing object after the rule changed it (`mutate.targets`). */
  readonly target?: JsonObject;
  /** The objects that the rule generates; absent for other rules. */
  readonly generated?: readonly JsonObject[];
  /** The exceptions because of which the rule was not evaluated, as `NAMESPACE/NAME`. */
  readonly exceptions?: readonly string[];
  /** The properties that reports add to the result (`reportProperties`). */
  readonly properties?: Readonly<Record<string, string>>;
  /** Why the rule generated nothing, where the Kyverno CLI logs the reason and reports the rule as passed. */
  readonly problem?: string;
}
