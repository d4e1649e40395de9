import { field, objectField, objectsField, textField, textsField } from '../policy/fields.ts';
import type { JsonObject } from '../values/value.ts';
import { matchesWildcard } from '../values/wildcard.ts';
import { type KindSelector, parseKindSelector, selectsKind } from './kind.ts';
import { compileSelector, type LabelSelector, type Labels, selects } from './selector.ts';
import type { MatchSubject, User } from './subject.ts';

/** One filter of `match` or `exclude`. */
export interface Filter {
  readonly kinds: readonly string[];
  readonly kindSelectors: readonly KindSelector[];
  readonly name: string;
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
  readonly annotations: readonly (readonly [string, string])[];
  readonly selector: LabelSelector | undefined;
  readonly namespaceSelector: LabelSelector | undefined;
  readonly operations: readonly string[];
  readonly users: UserFilter;
}

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

const noUsers: UserFilter = { roles: [], clusterRoles: [], subjects: [], isPresent: false };

/** Reads a filter: `resources` and beside it what concerns users. */
export function compileFilter(source: JsonObject): Filter {
  const resources = objectField(source, 'resources') ?? {};
  const annotations = objectField(resources, 'annotations') ?? {};
  const selector = objectField(resources, 'selector');
  const namespaceSelector = objectField(resources, 'namespaceSelector');
  const kinds = textsField(resources, 'kinds');
  return {
    kinds,
    kindSelectors: kinds.map(parseKindSelector),
    name: textField(resources, 'name'),
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
        kind: textField(subject, 'kind'),
        name: textField(subject, 'name'),
        namespace: textField(subject, 'namespace'),
      })),
      isPresent: ['roles', 'clusterRoles', 'subjects'].some(
        (name) => field(source, name) !== undefined,
      ),
    },
  };
}

/** The same filter with nothing about users. */
export function withoutUsers(filter: Filter): Filter {
  return { ...filter, users: noUsers };
}

/** Whether a filter says nothing at all. */
export function isEmptyFilter(filter: Filter): boolean {
  return !describesResources(filter) && !filter.users.isPresent;
}

function describesResources(filter: Filter): boolean {
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

/** The reasons why a filter does not match; none when it does. */
export function reasonsAgainst(filter: Filter, subject: MatchSubject): readonly string[] {
  if (filter.operations.length > 0 && !filter.operations.includes(subject.operation)) {
    return ['operation does not match'];
  }
  return [
    ...resourceReasons(filter, subject),
    ...namespaceSelectorReasons(filter, subject),
    ...userReasons(filter.users, subject.user),
  ];
}

function resourceReasons(filter: Filter, subject: MatchSubject): readonly string[] {
  const reasons: string[] = [];
  const isOfKind = (selector: KindSelector): boolean =>
    selectsKind(selector, subject.kind, subject.subresource);
  if (filter.kinds.length > 0 && !filter.kindSelectors.some(isOfKind)) {
    reasons.push(`kind does not match [${filter.kinds.join(' ')}]`);
  }
  if (filter.name !== '' && !matchesWildcard(filter.name, subject.name))
    reasons.push('name does not match');
  if (
    filter.names.length > 0 &&
    !filter.names.some((name) => matchesWildcard(name, subject.name))
  ) {
    reasons.push('none of the names match');
  }
  const inNamespace = (namespace: string): boolean =>
    matchesWildcard(namespace, subject.matchedNamespace);
  if (filter.namespaces.length > 0 && !filter.namespaces.some(inNamespace)) {
    reasons.push('namespace does not match');
  }
  if (!filter.annotations.every(([key, value]) => hasPair(subject.annotations, key, value))) {
    reasons.push('annotations does not match');
  }
  if (filter.selector !== undefined) {
    const selected = selects(filter.selector, subject.labels);
    if (typeof selected === 'object') reasons.push(`failed to parse selector: ${selected.error}`);
    else if (!selected) reasons.push('selector does not match');
  }
  return reasons;
}

function hasPair(actual: Labels, key: string, value: string): boolean {
  for (const [actualKey, actualValue] of actual) {
    if (matchesWildcard(key, actualKey) && matchesWildcard(value, actualValue)) return true;
  }
  return false;
}

function namespaceSelectorReasons(filter: Filter, subject: MatchSubject): readonly string[] {
  if (filter.namespaceSelector === undefined) return [];
  if (subject.objectKind === 'Namespace') {
    return ['namespace selector is not applicable for namespace resource'];
  }
  if (subject.objectKind === '' && !filter.kinds.includes('*')) return [];
  const selected = selects(filter.namespaceSelector, subject.namespaceLabels);
  if (typeof selected === 'object')
    return [`failed to parse namespace selector: ${selected.error}`];
  return selected ? [] : ['namespace selector does not match labels'];
}

function userReasons(filter: UserFilter, user: User): readonly string[] {
  const reasons: string[] = [];
  if (filter.roles.length > 0 && !filter.roles.some((role) => user.roles.includes(role))) {
    reasons.push('user info does not match roles for the given conditionBlock');
  }
  if (
    filter.clusterRoles.length > 0 &&
    !filter.clusterRoles.some((role) => user.clusterRoles.includes(role))
  ) {
    reasons.push('user info does not match clustersRoles for the given conditionBlock');
  }
  if (filter.subjects.length > 0 && !filter.subjects.some((subject) => isSubject(subject, user))) {
    reasons.push('user info does not match subject for the given conditionBlock');
  }
  return reasons;
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
