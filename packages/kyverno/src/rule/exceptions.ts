import type { JsonObject } from '@kubeadmit/apimachinery';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { exceptionMatches } from '../match/match.ts';
import { traceException } from '../match/match-trace.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import type { Exception } from './exception.ts';
import type { PolicyRequest } from './request.ts';

/** The exceptions that save an object of a request from a rule, wholly or in part. */
export function exceptionsFor(
  request: PolicyRequest,
  policyKey: string,
  rule: string,
  object: JsonObject,
): readonly Exception[] {
  const exceptions = request.request.exceptions;
  if (exceptions.length === 0) return [];
  const { trace } = request.context;
  return exceptions.filter((exception) => {
    if (!names(exception, policyKey, rule)) return false;
    const subject = request.subjectOf(object);
    trace?.open();
    const applies =
      exceptionMatches(exception.match, subject) && conditionsHold(request, exception);
    const { key, match } = exception;
    trace?.close({ kind: 'exception', key, applies, match: traceException(match, subject) });
    return applies;
  });
}

function names({ rules }: Exception, policyKey: string, rule: string): boolean {
  return rules.some(
    (named) =>
      named.policy === policyKey && named.rules.some((pattern) => matchesWildcard(pattern, rule)),
  );
}

/** Conditions that cannot be evaluated do not hold. */
function conditionsHold({ context }: PolicyRequest, { conditions }: Exception): boolean {
  if (conditions === undefined) return true;
  if (conditions instanceof Failure) return false;
  const asked =
    'any' in conditions && conditions.any?.length === 0
      ? { all: conditions.all ?? [] }
      : conditions;
  const outcome = evaluateConditions(context, asked, 'exception');
  return !(outcome instanceof Failure) && outcome.result;
}
