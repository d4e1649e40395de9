import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { Failure } from '../jmespath/failure.ts';
import { compileFilters, exceptionMatches, type Filters } from '../match/match.ts';
import { metadataOf } from '../match/subject.ts';
import { matchesWildcard } from '../values/wildcard.ts';
import { field, objectField, objectsField, textField, textsField } from './fields.ts';
import type { PolicyRequest } from './request.ts';

/** A PolicyException ready to be asked. */
export interface Exception {
  readonly key: string;
  readonly rules: readonly { readonly policy: string; readonly rules: readonly string[] }[];
  readonly match: Filters;
  readonly conditions: Conditions | Failure | undefined;
  /** The controls of the Pod Security Standards that are not asked for; the whole rule is not where there are none. */
  readonly podSecurity: readonly Exclusion[];
}

/** A control of the Pod Security Standards that a rule or an exception does not ask for, wholly or in part. */
export interface Exclusion {
  readonly controlName: string;
  /** Images of the containers concerned, with wildcards; the pod's own fields are concerned where there are none. */
  readonly images: readonly string[];
  /** The one field concerned; every field of the control when empty. */
  readonly restrictedField: string;
  /** The values that are allowed in the field, with wildcards; all when empty. */
  readonly values: readonly string[];
}

/** Reads an item of `podSecurity.exclude`, or of an exception's `podSecurity`. */
export function readExclusion(source: JsonObject): Exclusion {
  return {
    controlName: textField(source, 'controlName'),
    images: textsField(source, 'images'),
    restrictedField: textField(source, 'restrictedField'),
    values: textsField(source, 'values'),
  };
}

/** Reads a PolicyException. */
export function compileException(source: JsonObject): Exception {
  const metadata = metadataOf(source);
  const spec = objectField(source, 'spec') ?? {};
  const namespace = textField(metadata, 'namespace');
  const name = textField(metadata, 'name');
  const conditions = field(spec, 'conditions');
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    rules: objectsField(spec, 'exceptions').map((exception) => ({
      policy: textField(exception, 'policyName'),
      rules: textsField(exception, 'ruleNames'),
    })),
    match: compileFilters(objectField(spec, 'match') ?? {}),
    conditions: conditions === undefined ? undefined : compileConditions(conditions),
    podSecurity: objectsField(spec, 'podSecurity').map(readExclusion),
  };
}

/** The exceptions that save an object of a request from a rule, wholly or in part. */
export function exceptionsFor(
  request: PolicyRequest,
  policyKey: string,
  rule: string,
  object: JsonObject,
): readonly Exception[] {
  const exceptions = request.request.exceptions;
  if (exceptions.length === 0) return [];
  return exceptions.filter(
    (exception) =>
      names(exception, policyKey, rule) &&
      exceptionMatches(exception.match, request.subjectOf(object)) &&
      conditionsHold(request, exception),
  );
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
  const outcome = evaluateConditions(context, asked);
  return !(outcome instanceof Failure) && outcome.result;
}
