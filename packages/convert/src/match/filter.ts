import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { type CoveredKinds, coverKinds, textsOf } from '@kubeadmit/difference/unstable-internal';
import { hasWildcard, parseKindSelector } from '@kubeadmit/kyverno/patterns';
import type { Schemas } from '@kubeadmit/schemas';
import { Unsupported } from '../notes/unsupported.ts';

/** A filter of `match` or `exclude` as written in the rule. */
export interface Filter {
  readonly resources: JsonObject;
  readonly kinds: readonly string[];
  readonly subjects: readonly JsonObject[];
  /** The fields about roles, of which admission policies know nothing. */
  readonly roles: readonly string[];
}

/** The filters of a block; they are alternatives, or all of them have to fit. */
export interface Block {
  readonly filters: readonly Filter[];
  readonly combined: 'any' | 'all';
}

/** Reads `match` or `exclude`, in the old form too. */
export function readBlock(source: unknown): Block | undefined {
  if (!isObject(source)) return undefined;
  for (const combined of ['any', 'all'] as const) {
    const list = source[combined];
    if (Array.isArray(list) && list.length > 0) {
      return { combined, filters: list.filter(isObject).map(readFilter) };
    }
  }
  const filter = readFilter(source);
  return Object.keys(source).length === 0 ? undefined : { combined: 'any', filters: [filter] };
}

/** The kinds that `match` or `exclude` names, without their groups and versions. */
export function kindsNamed(source: unknown): readonly string[] {
  const kinds = readBlock(source)?.filters.flatMap((filter) => filter.kinds) ?? [];
  return kinds.map((text) => parseKindSelector(text).kind);
}

function readFilter(source: JsonObject): Filter {
  const roles = ['roles', 'clusterRoles'].filter(
    (name) => Array.isArray(source[name]) && source[name].length > 0,
  );
  const resources = objectOf(source['resources']);
  const subjects = Array.isArray(source['subjects']) ? source['subjects'].filter(isObject) : [];
  return { resources, kinds: textsOf(resources['kinds']), subjects, roles };
}

/**
 * Finds the resources of kinds as Kyverno names them.
 *
 * @throws Unsupported if a group has wildcards and no known kind fits
 */
export function resourceRulesOf(kinds: readonly string[], schemas: Schemas): CoveredKinds {
  const covered = coverKinds(kinds, schemas);
  for (const text of covered.unknown) {
    const { group } = parseKindSelector(text);
    if (hasWildcard(group) && group !== '*') {
      throw new Unsupported(`the group of \`${text}\` has wildcards`);
    }
  }
  return covered;
}
