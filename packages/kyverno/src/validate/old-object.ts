import type { JsonObject } from '@kubeadmit/apimachinery';
import { field } from '../fields/fields.ts';
import { concernsSubject } from '../match/match.ts';
import { MatchSubject, type User } from '../match/subject.ts';
import { readAction } from '../rule/failure-action.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import { type RuleOutcome, said } from '../trace/outcome.ts';

/** The result of an update that makes an object no worse than before. */
export const existingViolation: RuleOutcome = {
  status: 'skip',
  message: 'skipping the rule evaluation as pre-existing violations are allowed',
};

/** The user of the second evaluation of the old object, whom no policy selects. */
const nobody: User = {
  username: 'kyverno:kyverno-invalid-controller',
  groups: ['kyverno:invalidgroup'],
  roles: ['kyverno:invalidrole'],
  clusterRoles: ['kyverno:invalidrole'],
  isUnknown: false,
};

/** Whether a violation that the old object had too is to be forgiven (`allowExistingViolations`). */
export function forgivesExisting(
  { object, oldObject, operation }: PolicyRequest,
  validate: JsonObject,
  spec: JsonObject,
): boolean {
  const isUpdate = (oldObject !== undefined && object !== undefined) || operation === 'UPDATE';
  if (!isUpdate || field(validate, 'allowExistingViolations') === false) return false;
  const action = field(validate, 'failureAction') ?? field(spec, 'validationFailureAction');
  return readAction(action) === 'Enforce';
}

/**
 * Evaluates the rule for the old object as if it were created by an unknown user; `undefined` if the rule does not
 * match it.
 */
export function judgeOldObject(
  request: PolicyRequest,
  rule: Rule,
  judge: () => RuleOutcome | undefined,
): RuleOutcome | undefined {
  const { object, oldObject } = request;
  request.setObjects(undefined, oldObject);
  request.setOperation('CREATE');
  const { trace } = request.context;
  trace?.open();
  try {
    const outcome = isMatched(request, rule, oldObject) ? judge() : undefined;
    trace?.close({ kind: 'oldObject', ...said(outcome) });
    return outcome;
  } finally {
    request.setObjects(oldObject, object);
    request.setOperation('UPDATE');
  }
}

/** A rule with preconditions is never matched here. */
function isMatched(
  { request, policyNamespace }: PolicyRequest,
  rule: Rule,
  oldObject: JsonObject | undefined,
): boolean {
  if (rule.preconditions !== undefined || oldObject === undefined) return false;
  const subject = new MatchSubject(oldObject, {
    subresource: '',
    operation: 'CREATE',
    namespaceLabels: request.facts.namespaceLabels,
    user: nobody,
  });
  return concernsSubject(rule.match, subject, policyNamespace);
}
