import type { JsonObject } from '@kubeadmit/apimachinery';
import { objectField, objectsField } from '../fields/fields.ts';
import {
  compileFilter,
  exceptionFilterMatches,
  type Filter,
  filterMatches,
  filterMatchesApartFromUsers,
} from './filter.ts';
import type { MatchSubject } from './subject.ts';

/** The filters of `match` or `exclude`: some of several, every one of several, or the legacy single one. */
export type Filters =
  | { readonly any: readonly Filter[] }
  | { readonly all: readonly Filter[] }
  | { readonly legacy: Filter };

/** The match block of a rule. */
export interface Match {
  readonly match: Filters;
  readonly exclude: Filters | undefined;
}

/** Reads `match` and `exclude` of a rule. */
export function compileMatch(rule: JsonObject): Match {
  const exclude = objectField(rule, 'exclude');
  const excluded = exclude && compileFilters(exclude);
  const isEmpty = excluded !== undefined && 'legacy' in excluded && excluded.legacy.isEmpty;
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

/** Whether a rule concerns an object (Kyverno's `MatchesResourceDescription`). */
export function concernsSubject(
  { match, exclude }: Match,
  subject: MatchSubject,
  policyNamespace: string,
): boolean {
  if (policyNamespace !== '' && policyNamespace !== subject.namespace) return false;
  if (!filtersHold(match, (filter) => matches(filter, subject))) return false;
  return exclude === undefined || !filtersHold(exclude, (filter) => excludes(filter, subject));
}

/** Whether the filters of a block match, as decided for each filter. */
function filtersHold(filters: Filters, holds: (filter: Filter) => boolean): boolean {
  if ('any' in filters) return filters.any.some(holds);
  return 'all' in filters ? filters.all.every(holds) : holds(filters.legacy);
}

/** Whether a filter matches. Without a known user, conditions about users are ignored. */
export function matches(filter: Filter, subject: MatchSubject): boolean {
  return subject.user.isUnknown
    ? !filter.isEmptyWithoutUsers && filterMatchesApartFromUsers(filter, subject)
    : !filter.isEmpty && filterMatches(filter, subject);
}

/** Whether a filter of `exclude` matches; where it is empty, it does not. */
export function excludes(filter: Filter, subject: MatchSubject): boolean {
  return !filter.isEmpty && filterMatches(filter, subject);
}

/** Whether an exception's filters match; an empty filter matches nothing. */
export function exceptionMatches(filters: Filters, subject: MatchSubject): boolean {
  if ('legacy' in filters) return false;
  return filtersHold(
    filters,
    (one) => !one.isEmptyInException && exceptionFilterMatches(one, subject),
  );
}
