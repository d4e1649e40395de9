import { exceptionFilterMatches, type Filter, type FilterMisfit, misfitsOf } from './filter.ts';
import { concernsSubject, excludes, type Filters, type Match, matches } from './match.ts';
import type { MatchSubject } from './subject.ts';

/** Why a rule concerns an object, or why not. */
export interface MatchTrace {
  /** Whether the rule applies to the object. */
  readonly concerns: boolean;
  /** The namespaces of the policy and of the object, where they are not the same. */
  readonly elsewhere?: { readonly wanted: string; readonly found: string };
  /** The result of `match`; absent if the namespace decided. */
  readonly match?: FiltersTrace;
  /** The result of `exclude`; absent if there is none, or if `match` decided. */
  readonly exclude?: FiltersTrace;
}

/** The result of each filter of a block. */
export interface FiltersTrace {
  /** How they stand in it: `any`, `all`, or one that is the block itself. */
  readonly form: 'any' | 'all' | 'block';
  /** Whether the filters match together. */
  readonly matches: boolean;
  /** The result of each filter, in their order. */
  readonly filters: readonly FilterTrace[];
}

/** The result of one filter. */
export interface FilterTrace {
  /** Whether the filter matches. */
  readonly matches: boolean;
  /** Whether it asks for nothing at all, which matches nothing. */
  readonly isEmpty: boolean;
  /** The parts that do not match. */
  readonly misfits: readonly FilterMisfit[];
}

/** Tells why a rule concerns an object, or why not. */
export function traceMatch(
  rule: Match,
  subject: MatchSubject,
  policyNamespace: string,
): MatchTrace {
  const concerns = concernsSubject(rule, subject, policyNamespace);
  if (policyNamespace !== '' && policyNamespace !== subject.namespace) {
    return { concerns, elsewhere: { wanted: policyNamespace, found: subject.namespace } };
  }
  const { isUnknown } = subject.user;
  const match = traceFilters(rule.match, (filter) => ({
    matches: matches(filter, subject),
    isEmpty: isUnknown ? filter.isEmptyWithoutUsers : filter.isEmpty,
    misfits: misfitsOf(filter, subject, isUnknown ? 'background' : 'rule'),
  }));
  if (!match.matches || rule.exclude === undefined) return { concerns, match };
  const exclude = traceFilters(rule.exclude, (filter) => ({
    matches: excludes(filter, subject),
    isEmpty: filter.isEmpty,
    misfits: misfitsOf(filter, subject, 'rule'),
  }));
  return { concerns, match, exclude };
}

/** Tells why an exception is about an object, or why not. */
export function traceException(filters: Filters, subject: MatchSubject): FiltersTrace {
  return traceFilters(filters, (filter) => ({
    matches: !filter.isEmptyInException && exceptionFilterMatches(filter, subject),
    isEmpty: filter.isEmptyInException,
    misfits: misfitsOf(filter, subject, 'exception'),
  }));
}

function traceFilters(filters: Filters, trace: (filter: Filter) => FilterTrace): FiltersTrace {
  if ('any' in filters) {
    const traces = filters.any.map(trace);
    return { form: 'any', matches: traces.some((each) => each.matches), filters: traces };
  }
  const traces = ('all' in filters ? filters.all : [filters.legacy]).map(trace);
  const form = 'all' in filters ? 'all' : 'block';
  return { form, matches: traces.every((each) => each.matches), filters: traces };
}
