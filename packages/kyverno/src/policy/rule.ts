import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import type { Failure } from '../jmespath/failure.ts';
import { compileMatch, type Match } from '../match/match.ts';
import { field, objectsField, stringField } from './fields.ts';

/** What handlers of rules ask of the policy. */
export interface RulePolicy {
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly spec: JsonObject;
}

/** What says which requests a rule concerns, ready for every request. */
export interface Rule {
  readonly name: string;
  readonly source: JsonObject;
  readonly match: Match;
  readonly context: readonly JsonObject[];
  /** Undefined where there are none. */
  readonly preconditions: Conditions | Failure | undefined;
}

/** Reads what a rule concerns. */
export function readRuleHead(source: JsonObject): Rule {
  const preconditions = field(source, 'preconditions');
  return {
    name: stringField(source, 'name'),
    source,
    match: compileMatch(source),
    context: objectsField(source, 'context'),
    preconditions: preconditions === undefined ? undefined : compileConditions(preconditions),
  };
}
