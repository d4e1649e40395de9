import type { JsonObject } from '@kubeadmit/apimachinery';
import type { RuleStatus } from '@kubeadmit/kyverno';

/** What one rule, or a policy that has no rules, says of an object. */
export interface Result {
  /** Empty for policies without rules. */
  readonly rule: string;
  readonly type: 'Mutation' | 'Validation';
  readonly status: RuleStatus;
  readonly message: string;
  /** What a failed validation does to a request. */
  readonly action?: 'Audit' | 'Enforce';
  /** The existing object that a rule changed, as it is afterwards. */
  readonly target?: JsonObject;
}

/** What one policy says of an object, and the object afterwards. */
export interface Response {
  readonly policy: string;
  readonly kind: string;
  readonly results: readonly Result[];
  readonly object: JsonObject | undefined;
}
