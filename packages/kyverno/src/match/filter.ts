import type { JsonObject, Labels } from '@kubeadmit/apimachinery';
import { field, objectField, objectsField, stringField, textsField } from '../policy/fields.ts';
import { type KindSelector, parseKindSelector, selectsKind } from './kind.ts';
import { compileSelector, type PolicySelector, selects } from './selector.ts';
import type { MatchSubject, User } from './subject.ts';
import { matchesWildcard } from './wildcard.ts';

/** One filter of `match` or `exclude`. */
export interface Filter {
  readonly kinds: readonly string[];
  readonly kindSelectors: readonly KindSelector[];
  readonly name: string;
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
  readonly annotations: readonly (readonly [string, string])[];
  readonly selector: PolicySelector | undefined;
  readonly namespaceSelector: PolicySelector | undefined;
  readonly operations: readonly string[];
  readonly users: UserFilter;
  /** Whether it says nothing at all. */
  readonly isEmpty: boolean;
  /** Whether it says nothing at all but of users. */
  readonly isEmptyWithoutUsers: boolean;
}

type Described = Omit<Filter, 'isEmpty' | 'isEmptyWithoutUsers'>;

interface UserFilter {
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  readonly subjects: readonly Subject[];
  /** Whether anything about users is written down, even an empty list. */
  readonly isPresent: boolean;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Reads a filter: `resources` and beside it what concerns users. */
export function compileFilter(source: JsonObject): Filter {
  const resources = objectField(source, 'resources') ?? {};
  const annotations = objectField(resources, 'annotations') ?? {};
  const selector = objectField(resources, 'selector');
  const namespaceSelector = objectField(resources, 'namespaceSelector');
  const kinds = textsField(resources, 'kinds');
  const filter: Described = {
    kinds,
    kindSelectors: kinds.map(parseKindSelector),
    name: stringField(resources, 'name'),
    names: textsField(resources, 'names'),
    namespaces: textsField(resources, 'namespaces'),
    annotations: Object.keys(annotations).map((key) => [key, String(annotations[key] ?? '')]),
    selector: selector && compileSelector(selector),
    namespaceSelector: namespaceSelector && compileSelector(namespaceSelector),
    operations: textsField(resources, 'operations'),
    users: {
      roles: textsField(source, 'roles'),
      clusterRoles: textsField(source, 'clusterRoles'),
      subjects: objectsField(source, 'subjects').map((subject) => ({
        kind: stringField(subject, 'kind'),
        name: stringField(subject, 'name'),
        namespace: stringField(subject, 'namespace'),
      })),
      isPresent: ['roles', 'clusterRoles', 'subjects'].some(
        (name) => field(source, name) !== undefined,
      ),
    },
  };
  const isEmptyWithoutUsers = !describesResources(filter);
  const isEmpty = isEmptyWithoutUsers && !filter.users.isPresent;
  return { ...filter, isEmpty, isEmptyWithoutUsers };
}

function describesResources(filter: Described): boolean {
  return (
    filter.kinds.length > 0 ||
    filter.name !== '' ||
    filter.names.length > 0 ||
    filter.namespaces.length > 0 ||
    filter.annotations.length > 0 ||
    filter.selector !== undefined ||
    filter.namespaceSelector !== undefined ||
    filter.operations.length > 0
  );
}

/** Whether a filter matches in all that it says. */
export function filterMatches(filter: Filter, subject: MatchSubject): boolean {
  return filterMatchesApartFromUsers(filter, subject) && userMatches(filter.users, subject.user);
}

/** Whether a filter matches in all that it says but of users. */
export function filterMatchesApartFromUsers(filter: Filter, subject: MatchSubject): boolean {
  return (
    (filter.operations.length === 0 || filter.operations.includes(subject.operation)) &&
    resourceMatches(filter, subject) &&
    namespaceSelectorMatches(filter, subject)
  );
}

/** Whether an exception's filter matches: neither operations count, nor namespace selectors for what is in none. */
export function exceptionFilterMatches(filter: Filter, subject: MatchSubject): boolean {
  const { objectKind } = subject;
  return (
    resourceMatches(filter, subject) &&
    (objectKind === 'Namespace' ||
      objectKind === '' ||
      namespaceSelectorMatches(filter, subject)) &&
    userMatches(filter.users, subject.user)
  );
}

function resourceMatches(filter: Filter, subject: MatchSubject): boolean {
  return (
    kindMatches(filter.kindSelectors, subject) &&
    (filter.name === '' || matchesWildcard(filter.name, subject.name)) &&
    (filter.names.length === 0 || someWildcardMatches(filter.names, subject.name)) &&
    (filter.namespaces.length === 0 ||
      someWildcardMatches(filter.namespaces, subject.matchedNamespace)) &&
    filter.annotations.every(([key, value]) => hasPair(subject.annotations, key, value)) &&
    (filter.selector === undefined || selects(filter.selector, subject.labels) === true)
  );
}

function kindMatches(
  selectors: readonly KindSelector[],
  { kind, subresource }: MatchSubject,
): boolean {
  if (selectors.length === 0) return true;
  for (const selector of selectors) if (selectsKind(selector, kind, subresource)) return true;
  return false;
}

function someWildcardMatches(patterns: readonly string[], text: string): boolean {
  for (const pattern of patterns) if (matchesWildcard(pattern, text)) return true;
  return false;
}

function hasPair(actual: Labels, key: string, value: string): boolean {
  for (const actualKey of Object.keys(actual)) {
    if (matchesWildcard(key, actualKey) && matchesWildcard(value, actual[actualKey] ?? ''))
      return true;
  }
  return false;
}

function namespaceSelectorMatches(
  { namespaceSelector, kinds }: Filter,
  { objectKind, namespaceLabels }: MatchSubject,
): boolean {
  if (namespaceSelector === undefined) return true;
  if (objectKind === 'Namespace') return false;
  if (objectKind === '' && !kinds.includes('*')) return true;
  return selects(namespaceSelector, namespaceLabels) === true;
}

function userMatches({ roles, clusterRoles, subjects }: UserFilter, user: User): boolean {
  return (
    (roles.length === 0 || roles.some((role) => user.roles.includes(role))) &&
    (clusterRoles.length === 0 || clusterRoles.some((role) => user.clusterRoles.includes(role))) &&
    (subjects.length === 0 || subjects.some((subject) => isSubject(subject, user)))
  );
}

function isSubject({ kind, name, namespace }: Subject, user: User): boolean {
  switch (kind) {
    case 'ServiceAccount':
      return matchesWildcard(`system:serviceaccount:${namespace}:${name}`, user.username);
    case 'User':
      return matchesWildcard(name, user.username);
    case 'Group':
      return user.groups.some((group) => matchesWildcard(name, group));
    default:
      return false;
  }
}
