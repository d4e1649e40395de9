import { evaluateConditions } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { concernsSubject } from '../match/match.ts';
import { traceMatch } from '../match/match-trace.ts';
import { exceptionsFor } from '../rule/exceptions.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { RuleResult } from '../trace/rule-result.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { Policy } from './policy.ts';

type Outcome = Pick<RuleResult, 'status' | 'message'>;

/**
 * Decides whether a rule that acts in the background applies to a request (Kyverno's `filterRule`): `fail` says that it
 * applied to the old object and no longer applies. Undefined for a rule that has nothing to do with the request.
 */
export function backgroundOutcome(
  state: PolicyRequest,
  policy: Policy,
  rule: CompiledRule,
): Outcome | undefined {
  const exceptions = exceptionsFor(
    state,
    policy.key,
    rule.name,
    state.object ?? state.oldObject ?? {},
  );
  if (exceptions.length > 0) {
    const keys = exceptions.map(({ key }) => key).join(', ');
    return { status: 'skip', message: `rule is skipped due to policy exception ${keys}` };
  }
  if (!concernsObject(state, policy, rule, 'object')) {
    const concerned = concernsObject(state, policy, rule, 'oldObject');
    return concerned && rule.generation !== undefined ? { status: 'fail', message: '' } : undefined;
  }
  const problem = loadEntries(state.context, rule.context, state.sources, state.policyNamespace);
  return problem === undefined ? preconditionsOutcome(state, rule) : undefined;
}

/** Whether a rule matches the object of a request, or the one before. */
export function concernsObject(
  state: PolicyRequest,
  policy: Policy,
  rule: CompiledRule,
  which: 'object' | 'oldObject',
): boolean {
  const object = state[which];
  if (object === undefined) return false;
  const subject = state.subjectOf(object);
  const { trace } = state.request;
  if (trace === undefined || which === 'oldObject') {
    return concernsSubject(rule.match, subject, policy.namespace);
  }
  const match = traceMatch(rule.match, subject, policy.namespace);
  trace.rule(rule, match);
  return match.concerns;
}

function preconditionsOutcome(state: PolicyRequest, { preconditions }: CompiledRule): Outcome {
  const { context, oldObject } = state;
  if (preconditions === undefined) return { status: 'pass', message: '' };
  const met = evaluateConditions(context, preconditions);
  if (met instanceof Failure) {
    return { status: 'error', message: `failed to evaluate conditions: ${met.message}` };
  }
  if (met.result) return { status: 'pass', message: '' };
  if (oldObject === undefined) return { status: 'skip', message: '' };
  state.showObject('object', oldObject);
  const wereMet = evaluateConditions(context, preconditions);
  if (wereMet instanceof Failure) {
    const message = `failed to evaluate conditions for old resource: ${wereMet.message}`;
    return { status: 'error', message };
  }
  return wereMet.result
    ? { status: 'fail', message: wereMet.message }
    : { status: 'skip', message: '' };
}
