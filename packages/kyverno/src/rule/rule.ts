import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ComputedRule, RuleOrigin } from '../autogen/autogen.ts';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { field, objectsField, stringField } from '../fields/fields.ts';
import type { Failure } from '../jmespath/steps/failure.ts';
import { compileMatch, type Match } from '../match/match.ts';

/** The properties of a policy that handlers of rules need. */
export interface RulePolicy {
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly spec: JsonObject;
}

/** The compiled match of a rule. */
export interface Rule {
  readonly name: string;
  readonly source: JsonObject;
  /** Undefined for a rule that the policy itself contains. */
  readonly origin: RuleOrigin | undefined;
  readonly match: Match;
  readonly context: readonly JsonObject[];
  /** Undefined where there are none. */
  readonly preconditions: Conditions | Failure | undefined;
}

/** Reads `match` and `exclude` of a rule. */
export function readRuleHead({ source, origin }: ComputedRule): Rule {
  const preconditions = field(source, 'preconditions');
  return {
    name: stringField(source, 'name'),
    source,
    origin,
    match: compileMatch(source),
    context: objectsField(source, 'context'),
    preconditions: preconditions === undefined ? undefined : compileConditions(preconditions),
  };
}
