import type { JsonObject } from '@kubeadmit/apimachinery';
import type { RuleStatus, RuleType } from '@kubeadmit/kyverno';

/** The result of one rule, or of a policy without rules, for an object. */
export interface Result {
  /** Empty for policies without rules. */
  readonly rule: string;
  /** The type of the rule. */
  readonly type: RuleType;
  /** The outcome. */
  readonly status: RuleStatus;
  /** The message for people. */
  readonly message: string;
  /** Whether a match condition of the policy's webhook failed. */
  readonly isWebhookFailure?: true;
  /** The action of a failed validation. */
  readonly action?: 'Audit' | 'Enforce';
  /** The existing object after a rule changed it. */
  readonly target?: JsonObject;
  /** The objects that a rule generates. */
  readonly generated?: readonly JsonObject[];
  /** The exceptions because of which the rule was not evaluated, as `NAMESPACE/NAME`. */
  readonly exceptions?: readonly string[];
  /** The properties that reports add to the result. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Why the rule generated nothing, where the Kyverno CLI reports it as passed. */
  readonly problem?: string;
}

/** The result of one policy for an object, and the object afterwards. */
export interface Response {
  /** The name of the policy. */
  readonly policy: string;
  /** The kind of the policy. */
  readonly kind: string;
  /** The namespace of a namespaced policy; empty for others. */
  readonly namespace: string;
  /** The results of its rules. */
  readonly results: readonly Result[];
  /** The object afterwards; undefined if it was deleted. */
  readonly object: JsonObject | undefined;
}
