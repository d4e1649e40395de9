import type { JsonObject } from '@kubeadmit/apimachinery';
import { type KindSelector, parseKindSelector } from '../match/kind.ts';
import { metadataOf, objectKindOf, type User } from '../match/subject.ts';
import { matchesWildcard } from '../values/wildcard.ts';
import { objectField, textField } from './fields.ts';
import type { Request } from './request.ts';

/** What the ConfigMap `kyverno` says of the objects and users that no policy concerns. */
export interface Configuration {
  readonly resourceFilters: readonly ResourceFilter[];
  readonly excluded: UserNames;
  readonly included: UserNames;
}

interface ResourceFilter {
  readonly kind: KindSelector;
  readonly namespace: string;
  readonly name: string;
}

interface UserNames {
  readonly usernames: readonly string[];
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
}

/** Reads the ConfigMap `kyverno`: `resourceFilters`, and `excludeGroups` and its like. */
export function compileConfiguration(configMap: JsonObject): Configuration {
  const data = objectField(configMap, 'data') ?? {};
  const users = (isIncluded: boolean): UserNames => ({
    usernames: namesOf(textField(data, 'excludeUsernames'), isIncluded),
    groups: namesOf(textField(data, 'excludeGroups'), isIncluded),
    roles: namesOf(textField(data, 'excludeRoles'), isIncluded),
    clusterRoles: namesOf(textField(data, 'excludeClusterRoles'), isIncluded),
  });
  return {
    resourceFilters: filtersOf(textField(data, 'resourceFilters')),
    excluded: users(false),
    included: users(true),
  };
}

/** Filters in brackets, such as `[Pod/*,kube-system,*]`; one of more than three parts repeats the one before. */
function filtersOf(text: string): readonly ResourceFilter[] {
  const filters: ResourceFilter[] = [];
  for (const [element] of text.matchAll(/\[([^[\]]*)\]/g)) {
    const parts = element.slice(1, -1).split(',');
    const [kind = '', namespace = '', name = ''] = parts;
    const last = filters.at(-1);
    if (parts.length > 3) {
      if (last !== undefined) filters.push(last);
    } else if (kind !== '') {
      filters.push({ kind: parseKindSelector(kind), namespace, name });
    }
  }
  return filters;
}

/** Names between commas; those after `!` are the included ones. */
function namesOf(text: string, isIncluded: boolean): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name.startsWith('!') === isIncluded)
    .map((name) => (isIncluded ? name.slice(1).trim() : name))
    .filter((name) => name !== '');
}

/** Whether an object of a request is filtered, so that no policy concerns the request (Kyverno's `ToFilter`). */
export function isFiltered({ configuration, facts, object, oldObject }: Request): boolean {
  if (configuration === undefined) return false;
  return [object, oldObject].some((one) => {
    if (one === undefined) return false;
    const kind = facts.kind ?? objectKindOf(object ?? one);
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    const metadata = metadataOf(one);
    const name = textField(metadata, 'name');
    return configuration.resourceFilters.some(
      (filter) =>
        matchesWildcard(filter.kind.group, kind.group) &&
        matchesWildcard(filter.kind.version, kind.version) &&
        matchesWildcard(filter.kind.kind, kind.kind) &&
        matchesWildcard(filter.kind.subresource, facts.subresource) &&
        ((matchesWildcard(filter.namespace, textField(metadata, 'namespace')) &&
          matchesWildcard(filter.name, name)) ||
          (isNamespace && matchesWildcard(filter.namespace, name))),
    );
  });
}

/** Whether the user of an admission request is one whom no policy concerns (Kyverno's `IsExcluded`). */
export function isExcludedUser({ configuration, facts, isCluster }: Request): boolean {
  if (configuration === undefined || !isCluster) return false;
  const { excluded, included } = configuration;
  return !isNamed(included, facts.user) && isNamed(excluded, facts.user);
}

function isNamed(names: UserNames, user: User): boolean {
  const someMatch = (patterns: readonly string[], texts: readonly string[]): boolean =>
    patterns.some((pattern) => texts.some((text) => matchesWildcard(pattern, text)));
  return (
    someMatch(names.usernames, [user.username]) ||
    someMatch(names.groups, user.groups) ||
    someMatch(names.roles, user.roles) ||
    someMatch(names.clusterRoles, user.clusterRoles)
  );
}
