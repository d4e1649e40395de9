import type { PolicyRule } from '@kubeadmit/admission/roles';
import { compareText, quote, trimRight } from '@kubeadmit/go';

const nothing: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/**
 * Returns the rules that the owner's rules do not cover, each with one verb (component-helpers rbac validation
 * `Covers`).
 */
export function uncovered(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] {
  return wanted
    .flatMap(singleRules)
    .filter((single) => !owned.some((rule) => covers(rule, single)));
}

/** Rules as texts, a line each in alphabetical order; those that differ in their verb only are one (rbac `CompactRules`). */
export function describeRules(rules: readonly PolicyRule[]): string {
  const compact = new Map<string, PolicyRule>();
  const lines: string[] = [];
  for (const rule of rules) {
    if (rule.nonResourceURLs.length > 0) {
      lines.push(ruleText(rule));
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = compact.get(key);
    compact.set(key, known ? { ...known, verbs: [...known.verbs, ...rule.verbs] } : rule);
  }
  lines.push(...[...compact.values()].map(ruleText));
  return [...new Set(lines)].sort(compareText).join('\n');
}

// A rule as rules of one group, resource, verb and name each, and those of paths.
function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...nothing,
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames,
        })),
      ),
    ),
  );
  const ofPaths = rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({ ...nothing, nonResourceURLs: [path], verbs: [verb] })),
  );
  return [...ofResources, ...ofPaths];
}

function covers(owned: PolicyRule, single: PolicyRule): boolean {
  return (
    hasAll(owned.verbs, single.verbs) &&
    hasAll(owned.apiGroups, single.apiGroups) &&
    single.resources.every((resource) => coversResource(owned.resources, resource)) &&
    single.nonResourceURLs.every((path) =>
      owned.nonResourceURLs.some((own) => coversPath(own, path)),
    ) &&
    (owned.resourceNames.length === 0 ||
      (single.resourceNames.length > 0 &&
        single.resourceNames.every((name) => owned.resourceNames.includes(name))))
  );
}

function hasAll(owned: readonly string[], wanted: readonly string[]): boolean {
  return owned.includes('*') || wanted.every((each) => owned.includes(each));
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

function coversPath(own: string, path: string): boolean {
  return own === path || (own.endsWith('*') && path.startsWith(trimRight(own, '*')));
}

// A rule as its short text (rbac v1 `CompactString`).
function ruleText(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${quotedList(values)}`);
  return `{${shown.join(', ')}}`;
}

/** A list as Go's `%q` prints it. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => quote(value)).join(' ')}]`;
}
