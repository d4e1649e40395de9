import type { PolicyRequest } from '../policy/request.ts';
import type { Rule } from '../policy/rule.ts';
import type { RuleStatus } from '../policy/rule-result.ts';
import type { JsonObject } from '../values/value.ts';

/** What a mutate rule makes of an object. */
export interface MutationOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The object after the rule; undefined after an error. */
  readonly object: JsonObject | undefined;
}

/** Applies a mutate rule to the object of a request. */
export function mutateRule(
  request: PolicyRequest,
  _rule: Rule,
  _mutate: JsonObject,
): MutationOutcome {
  return { status: 'skip', message: 'no patches applied', object: request.object };
}
