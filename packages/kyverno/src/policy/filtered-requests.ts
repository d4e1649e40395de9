import { memberObject } from '@kubeadmit/apimachinery';
import { stringField } from '../fields/fields.ts';
import { objectKindOf, type User } from '../match/subject.ts';
import { matchesWildcard } from '../match/wildcard.ts';
import type { UserNames } from '../rule/configuration.ts';
import type { Request } from '../rule/request.ts';

/** Whether an object of a request is filtered, so that no policy concerns the request (Kyverno's `ToFilter`). */
export function isFiltered({ configuration, facts, object, oldObject }: Request): boolean {
  if (configuration === undefined) return false;
  return [object, oldObject].some((one) => {
    if (one === undefined) return false;
    const kind = facts.kind ?? objectKindOf(object ?? one);
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    const metadata = memberObject(one, 'metadata');
    const name = stringField(metadata, 'name');
    return configuration.resourceFilters.some(
      (filter) =>
        matchesWildcard(filter.kind.group, kind.group) &&
        matchesWildcard(filter.kind.version, kind.version) &&
        matchesWildcard(filter.kind.kind, kind.kind) &&
        matchesWildcard(filter.kind.subresource, facts.subresource) &&
        ((matchesWildcard(filter.namespace, stringField(metadata, 'namespace')) &&
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
