import type { JsonObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { requireArgument } from '@kubeadmit/base';
import { objectField, stringField } from '../fields/fields.ts';
import { type KindSelector, parseKindSelector } from '../match/kind.ts';

/** The ConfigMap `kyverno`: objects and users to which no policy applies. */
export interface Configuration {
  /** Objects that Kyverno leaves alone. */
  readonly resourceFilters: readonly ResourceFilter[];
  /** Users whose requests are left alone. */
  readonly excluded: UserNames;
  /** Users whose requests are not, though they are excluded. */
  readonly included: UserNames;
}

interface ResourceFilter {
  readonly kind: KindSelector;
  readonly namespace: string;
  readonly name: string;
}

/** Names of users with wildcards. */
export interface UserNames {
  readonly usernames: readonly string[];
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
}

/**
 * Reads the ConfigMap `kyverno`: `resourceFilters`, `excludeUsernames`, `excludeGroups`, `excludeRoles` and
 * `excludeClusterRoles`.
 *
 * @throws TypeError if the object is not a ConfigMap
 */
export function compileConfiguration(configMap: JsonObject): Configuration {
  requireArgument('compileConfiguration', configMap, { what: 'a ConfigMap' });
  if (configMap['kind'] !== undefined)
    requireKind('compileConfiguration', configMap, ['ConfigMap']);
  const data = objectField(configMap, 'data') ?? {};
  const users = (isIncluded: boolean): UserNames => ({
    usernames: namesOf(stringField(data, 'excludeUsernames'), isIncluded),
    groups: namesOf(stringField(data, 'excludeGroups'), isIncluded),
    roles: namesOf(stringField(data, 'excludeRoles'), isIncluded),
    clusterRoles: namesOf(stringField(data, 'excludeClusterRoles'), isIncluded),
  });
  return {
    resourceFilters: filtersOf(stringField(data, 'resourceFilters')),
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
