import type { JsonObject, Labels } from '@kubeadmit/apimachinery';
import { field, objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import { type KindSelector, parseKindSelector, selectsKind } from './kind.ts';
import { compileSelector, isSelected, type PolicySelector, selects } from './selector.ts';
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
  /** Whether it is empty as a filter of an exception, where an empty list of users counts as absent. */
  readonly isEmptyInException: boolean;
}

type Described = Omit<Filter, 'isEmpty' | 'isEmptyWithoutUsers' | 'isEmptyInException'>;

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

/** Compiles a filter: `resources`, and the fields about users next to it. */
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
  const { roles, clusterRoles, subjects } = filter.users;
  const isEmptyInException =
    isEmptyWithoutUsers && [roles, clusterRoles, subjects].flat().length === 0;
  return { ...filter, isEmpty, isEmptyWithoutUsers, isEmptyInException };
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
  return filterMatchesApartFromUsers(filter, subject) && userMatches(filter, subject);
}

/** Whether a filter matches in all that it says but of users. */
export function filterMatchesApartFromUsers(filter: Filter, subject: MatchSubject): boolean {
  return (
    operationMatches(filter, subject) &&
    resourceMatches(filter, subject) &&
    namespaceSelectorMatches(filter, subject)
  );
}

/**
 * Whether an exception's filter matches: operations are ignored, and so are namespace selectors for cluster-scoped
 * objects.
 */
export function exceptionFilterMatches(filter: Filter, subject: MatchSubject): boolean {
  return (
    resourceMatches(filter, subject) &&
    (isInNoNamespace(subject) || namespaceSelectorMatches(filter, subject)) &&
    userMatches(filter, subject)
  );
}

/** A part of a filter. */
export type FilterPart =
  | 'operations'
  | 'kinds'
  | 'name'
  | 'names'
  | 'namespaces'
  | 'annotations'
  | 'selector'
  | 'namespaceSelector'
  | 'roles'
  | 'clusterRoles'
  | 'subjects';

/** A part of a filter that does not match: the expected and the actual value. */
export interface FilterMisfit {
  /** The part of the filter. */
  readonly part: FilterPart;
  /** The expected value. */
  readonly wanted: unknown;
  /** The actual value. */
  readonly found: unknown;
  /** Why it can match nothing of the kind. */
  readonly problem?: string;
}

/** The use of filters, for explanations: in rules, in rules without a known user, or in exceptions. */
export type FilterUse = 'rule' | 'background' | 'exception';

/** All parts of a filter that do not match. */
export function misfitsOf(
  filter: Filter,
  subject: MatchSubject,
  use: FilterUse,
): readonly FilterMisfit[] {
  return parts.flatMap(({ part, matches, found }): FilterMisfit[] => {
    if (use === 'background' && isAboutUsers(part)) return [];
    if (use === 'exception') {
      if (part === 'operations') return [];
      if (part === 'namespaceSelector' && isInNoNamespace(subject)) return [];
    }
    if (matches(filter, subject)) return [];
    const problem = problemOf(part, filter, subject);
    return [
      {
        part,
        wanted: wantedBy(part, filter),
        found: found(subject),
        ...(problem === undefined ? {} : { problem }),
      },
    ];
  });
}

interface AskedPart {
  readonly part: FilterPart;
  readonly matches: (filter: Filter, subject: MatchSubject) => boolean;
  readonly found: (subject: MatchSubject) => unknown;
}

const parts: readonly AskedPart[] = [
  { part: 'kinds', matches: kindMatches, found: kindText },
  { part: 'operations', matches: operationMatches, found: ({ operation }) => operation },
  { part: 'name', matches: nameMatches, found: ({ name }) => name },
  { part: 'names', matches: someNameMatches, found: ({ name }) => name },
  { part: 'namespaces', matches: namespaceMatches, found: (subject) => subject.matchedNamespace },
  { part: 'annotations', matches: annotationsMatch, found: ({ annotations }) => annotations },
  { part: 'selector', matches: selectorMatches, found: ({ labels }) => labels },
  {
    part: 'namespaceSelector',
    matches: namespaceSelectorMatches,
    found: ({ namespaceLabels }) => namespaceLabels,
  },
  { part: 'roles', matches: roleMatches, found: ({ user }) => user.roles },
  { part: 'clusterRoles', matches: clusterRoleMatches, found: ({ user }) => user.clusterRoles },
  {
    part: 'subjects',
    matches: someSubjectMatches,
    found: ({ user: { username, groups } }) => ({ username, groups }),
  },
];

function isAboutUsers(part: FilterPart): boolean {
  return part === 'roles' || part === 'clusterRoles' || part === 'subjects';
}

function kindText({ kind: { group, version, kind }, subresource }: MatchSubject): string {
  return [group, version, kind, subresource].filter((text) => text !== '').join('/');
}

function wantedBy(part: FilterPart, filter: Filter): unknown {
  switch (part) {
    case 'annotations':
      return Object.fromEntries(filter.annotations);
    case 'selector':
    case 'namespaceSelector':
      return filter[part]?.selector;
    case 'roles':
    case 'clusterRoles':
    case 'subjects':
      return filter.users[part];
    default:
      return filter[part];
  }
}

function problemOf(part: FilterPart, filter: Filter, subject: MatchSubject): string | undefined {
  if (part === 'namespaceSelector' && subject.objectKind === 'Namespace') {
    return 'a namespaceSelector matches objects in namespaces, never a Namespace';
  }
  if (part !== 'selector' && part !== 'namespaceSelector') return undefined;
  const selector = filter[part];
  const labels = part === 'selector' ? subject.labels : subject.namespaceLabels;
  const selected = selector && selects(selector, labels);
  return typeof selected === 'object' ? selected.error : undefined;
}

function resourceMatches(filter: Filter, subject: MatchSubject): boolean {
  return (
    kindMatches(filter, subject) &&
    nameMatches(filter, subject) &&
    someNameMatches(filter, subject) &&
    namespaceMatches(filter, subject) &&
    annotationsMatch(filter, subject) &&
    selectorMatches(filter, subject)
  );
}

function operationMatches({ operations }: Filter, { operation }: MatchSubject): boolean {
  return operations.length === 0 || operations.includes(operation);
}

function kindMatches({ kindSelectors }: Filter, { kind, subresource }: MatchSubject): boolean {
  if (kindSelectors.length === 0) return true;
  for (const selector of kindSelectors) if (selectsKind(selector, kind, subresource)) return true;
  return false;
}

function nameMatches(filter: Filter, subject: MatchSubject): boolean {
  return filter.name === '' || matchesWildcard(filter.name, subject.name);
}

function someNameMatches({ names }: Filter, { name }: MatchSubject): boolean {
  return names.length === 0 || someWildcardMatches(names, name);
}

function namespaceMatches({ namespaces }: Filter, subject: MatchSubject): boolean {
  return namespaces.length === 0 || someWildcardMatches(namespaces, subject.matchedNamespace);
}

function annotationsMatch({ annotations }: Filter, subject: MatchSubject): boolean {
  return annotations.every(([key, value]) => hasPair(subject.annotations, key, value));
}

function selectorMatches({ selector }: Filter, subject: MatchSubject): boolean {
  return selector === undefined || isSelected(selector, subject.labels);
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

function isInNoNamespace({ objectKind }: MatchSubject): boolean {
  return objectKind === 'Namespace' || objectKind === '';
}

function namespaceSelectorMatches(
  { namespaceSelector, kinds }: Filter,
  { objectKind, namespaceLabels }: MatchSubject,
): boolean {
  if (namespaceSelector === undefined) return true;
  if (objectKind === 'Namespace') return false;
  if (objectKind === '' && !kinds.includes('*')) return true;
  return isSelected(namespaceSelector, namespaceLabels);
}

function userMatches(filter: Filter, subject: MatchSubject): boolean {
  return (
    roleMatches(filter, subject) &&
    clusterRoleMatches(filter, subject) &&
    someSubjectMatches(filter, subject)
  );
}

function roleMatches({ users: { roles } }: Filter, { user }: MatchSubject): boolean {
  return roles.length === 0 || roles.some((role) => user.roles.includes(role));
}

function clusterRoleMatches({ users: { clusterRoles } }: Filter, { user }: MatchSubject): boolean {
  return clusterRoles.length === 0 || clusterRoles.some((role) => user.clusterRoles.includes(role));
}

function someSubjectMatches({ users: { subjects } }: Filter, { user }: MatchSubject): boolean {
  return subjects.length === 0 || subjects.some((subject) => isSubject(subject, user));
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
