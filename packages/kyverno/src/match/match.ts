import { objectField, objectsField } from '../policy/fields.ts';
import type { JsonObject } from '../values/value.ts';
import {
  compileFilter,
  type Filter,
  isEmptyFilter,
  reasonsAgainst,
  withoutUsers,
} from './filter.ts';
import type { MatchSubject } from './subject.ts';

/** The filters of `match` or `exclude`: some of several, every one of several, or the legacy single one. */
export type Filters =
  | { readonly any: readonly Filter[] }
  | { readonly all: readonly Filter[] }
  | { readonly legacy: Filter };

/** What a rule concerns. */
export interface Match {
  readonly match: Filters;
  readonly exclude: Filters | undefined;
}

/** Reads `match` and `exclude` of a rule. */
export function compileMatch(rule: JsonObject): Match {
  const exclude = objectField(rule, 'exclude');
  const excluded = exclude && compileFilters(exclude);
  const isEmpty = excluded !== undefined && 'legacy' in excluded && isEmptyFilter(excluded.legacy);
  return {
    match: compileFilters(objectField(rule, 'match') ?? {}),
    exclude: isEmpty ? undefined : excluded,
  };
}

/** Reads a block of filters. */
export function compileFilters(source: JsonObject): Filters {
  const any = objectsField(source, 'any');
  if (any.length > 0) return { any: any.map(compileFilter) };
  const all = objectsField(source, 'all');
  return all.length > 0 ? { all: all.map(compileFilter) } : { legacy: compileFilter(source) };
}

/** The reasons why a rule does not concern an object (Kyverno's `MatchesResourceDescription`); none if it does. */
export function reasonsAgainstMatch(
  { match, exclude }: Match,
  subject: MatchSubject,
  policyNamespace: string,
): readonly string[] {
  if (policyNamespace !== '' && policyNamespace !== subject.namespace) {
    return ['policy and resource namespaces mismatch'];
  }
  const reasons = matchReasons(match, subject);
  return reasons.length > 0 || exclude === undefined ? reasons : exclusionReasons(exclude, subject);
}

function matchReasons(filters: Filters, subject: MatchSubject): readonly string[] {
  if ('any' in filters) {
    const isMatched = filters.any.some((filter) => filterReasons(filter, subject).length === 0);
    return isMatched ? [] : ['no resource matched'];
  }
  const all = 'all' in filters ? filters.all : [filters.legacy];
  return all.flatMap((filter) => filterReasons(filter, subject));
}

/** Where no user is known, what a filter says of users does not count. */
function filterReasons(filter: Filter, subject: MatchSubject): readonly string[] {
  const asked = subject.user.isUnknown && filter.users.isPresent ? withoutUsers(filter) : filter;
  return isEmptyFilter(asked) ? ['match cannot be empty'] : reasonsAgainst(asked, subject);
}

function exclusionReasons(filters: Filters, subject: MatchSubject): readonly string[] {
  if ('all' in filters) {
    return filters.all.every((filter) => excludes(filter, subject))
      ? ['resource excluded since the combination of all criteria exclude it']
      : [];
  }
  const some = 'any' in filters ? filters.any : [filters.legacy];
  return some
    .filter((filter) => excludes(filter, subject))
    .map(() => 'resource excluded since one of the criteria excluded it');
}

function excludes(filter: Filter, subject: MatchSubject): boolean {
  return !isEmptyFilter(filter) && reasonsAgainst(filter, subject).length === 0;
}

/** Whether an exception's filters match: operations do not count, and an empty filter matches nothing. */
export function exceptionMatches(filters: Filters, subject: MatchSubject): boolean {
  const matches = (filter: Filter): boolean =>
    !isEmptyFilter(filter) &&
    reasonsAgainst({ ...filter, ...exceptionOmissions(subject) }, subject).length === 0;
  if ('any' in filters) return filters.any.some(matches);
  return 'all' in filters && filters.all.every(matches);
}

function exceptionOmissions({ objectKind }: MatchSubject): Partial<Filter> {
  return {
    operations: [],
    ...((objectKind === 'Namespace' || objectKind === '') && { namespaceSelector: undefined }),
  };
}
