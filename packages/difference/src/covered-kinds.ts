import { hasWildcard, type KindSelector, parseKindSelector } from '@kubeadmit/kyverno/patterns';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';

/** Returns the items of a list as strings; empty if the value is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A rule of a policy for resources; Kyverno knows them by kind. */
export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
}

/** The resource rules that cover kinds, one for each group, and the kinds that no schema knows. */
export interface CoveredKinds {
  readonly rules: readonly ResourceRule[];
  /** Kinds whose resource names are unknown; requests for them must be recognized by the kind. */
  readonly unknown: readonly string[];
}

/** Finds the resources of kinds as Kyverno names them. */
export function coverKinds(kinds: readonly string[], schemas: Schemas): CoveredKinds {
  const byGroup = new Map<string, { versions: Set<string>; resources: Set<string> }>();
  const unknown: string[] = [];
  for (const text of kinds) {
    const known = resourcesOf(text, schemas);
    if (known === undefined) unknown.push(text);
    for (const { group, version, name } of known ?? anyResource(text)) {
      const rule = byGroup.get(group) ?? { versions: new Set(), resources: new Set() };
      rule.versions.add(version);
      rule.resources.add(name);
      byGroup.set(group, rule);
    }
  }
  const rules = [...byGroup].map(([group, { versions, resources }]) => ({
    apiGroups: [group],
    apiVersions: versions.has('*') ? ['*'] : [...versions].sort(),
    resources: resources.has('*') ? ['*'] : [...resources].sort(),
  }));
  return { rules, unknown };
}

interface Named {
  readonly group: string;
  readonly version: string;
  readonly name: string;
}

function resourcesOf(text: string, schemas: Schemas): readonly Named[] | undefined {
  const selector = parseKindSelector(text);
  const suffix = suffixOf(selector);
  if (selector.kind === '*' && selector.group === '*') {
    return [{ group: '*', version: '*', name: `*${suffix}` }];
  }
  const found = listResources(schemas).filter((each) => isSelected(each, selector));
  if (found.length === 0) return undefined;
  return preferred(found, selector).map(({ group, version, resource }) => ({
    group,
    version,
    name: resource + suffix,
  }));
}

function anyResource(text: string): readonly Named[] {
  const selector = parseKindSelector(text);
  const { group, version } = selector;
  return [{ group, version: hasWildcard(version) ? '*' : version, name: `*${suffixOf(selector)}` }];
}

function suffixOf({ subresource }: KindSelector): string {
  return subresource === '' ? '' : `/${subresource}`;
}

function isSelected(resource: Resource, selector: KindSelector): boolean {
  const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  return (
    fits(selector.kind, resource.kind) &&
    fits(selector.group, resource.group) &&
    fits(selector.version, resource.version)
  );
}

// `matchPolicy: Equivalent` covers the other versions of a group.
function preferred(found: readonly Resource[], selector: KindSelector): readonly Resource[] {
  if (selector.version !== '*') return found;
  const byGroup = new Map<string, Resource>();
  for (const resource of found) {
    const known = byGroup.get(resource.group);
    if (known === undefined || isNewer(resource.version, known.version)) {
      byGroup.set(resource.group, resource);
    }
  }
  return [...byGroup.values()];
}

function isNewer(version: string, than: string): boolean {
  const rank = (text: string): number =>
    text.includes('alpha') ? 0 : text.includes('beta') ? 1 : 2;
  return rank(version) !== rank(than) ? rank(version) > rank(than) : version > than;
}

/** The first built-in kind that a text of `kinds` names. */
export function kindNamed(text: string, schemas: Schemas): Resource | undefined {
  const selector = parseKindSelector(text);
  if (selector.kind === '*') return undefined;
  const found = listResources(schemas).filter((each) => isSelected(each, selector));
  return preferred(found, selector)[0];
}
