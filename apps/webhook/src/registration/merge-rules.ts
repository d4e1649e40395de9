import type { WebhookRule } from '@kubeadmit/chain/scan';
import type { Lifeline } from './lifelines.ts';

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly scope: string;
}

/** Targets that differ only in their resource. */
interface Merged extends Omit<Target, 'resource'> {
  readonly operations: readonly string[];
  readonly resources: string[];
}

/** Merges the rules of policies into as few as possible, and leaves out lifelines that a rule names. */
export function mergeRules(
  rules: readonly WebhookRule[],
  exempt: readonly Lifeline[],
): readonly WebhookRule[] {
  const byTarget = new Map<string, { readonly target: Target; readonly operations: Set<string> }>();
  for (const rule of rules) {
    for (const target of targetsOf(rule)) {
      if (exempt.some((lifeline) => isWithin(target, lifeline))) continue;
      const key = JSON.stringify(target);
      const known = byTarget.get(key) ?? { target, operations: new Set<string>() };
      for (const operation of rule.operations) known.operations.add(operation);
      byTarget.set(key, known);
    }
  }
  const merged = new Map<string, Merged>();
  for (const { target, operations: all } of byTarget.values()) {
    const { group, version, scope } = target;
    const operations = all.has('*') ? ['*'] : [...all].sort();
    const key = JSON.stringify([group, version, scope, operations]);
    const known: Merged = merged.get(key) ?? { group, version, scope, operations, resources: [] };
    known.resources.push(target.resource);
    merged.set(key, known);
  }
  return [...merged.values()]
    .map(({ group, version, operations, resources, scope }) => ({
      apiGroups: [group],
      apiVersions: [version],
      operations,
      resources: uncovered(resources),
      scope,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Whether rules may match a lifeline. */
export function mayReach(rules: readonly WebhookRule[], lifeline: Lifeline): boolean {
  return rules.flatMap(targetsOf).some((target) => reaches(target, lifeline));
}

function targetsOf({ apiGroups, apiVersions, resources, scope }: WebhookRule): readonly Target[] {
  return apiGroups.flatMap((group) =>
    apiVersions.flatMap((version) =>
      resources.map((resource) => ({ group, version, resource, scope })),
    ),
  );
}

// Whether the target contains only resources of the lifeline.
function isWithin({ group, resource }: Target, lifeline: Lifeline): boolean {
  if (group !== lifeline.group) return false;
  if (lifeline.resource === '*') return true;
  if (lifeline.resource.includes('/')) return resource === lifeline.resource;
  return resource === lifeline.resource || resource.startsWith(`${lifeline.resource}/`);
}

function reaches({ group, resource }: Target, lifeline: Lifeline): boolean {
  if (group !== '*' && group !== lifeline.group) return false;
  if (lifeline.resource === '*' || resource === '*/*') return true;
  const [name = '', subresource = ''] = resource.split('/');
  const [wanted = '', wantedSubresource = ''] = lifeline.resource.split('/');
  if (name !== '*' && name !== wanted) return false;
  if (wantedSubresource === '') return true;
  return subresource === '*' || subresource === wantedSubresource;
}

// kube-apiserver refuses a rule that names a resource beside a wildcard that covers it.
function uncovered(resources: readonly string[]): readonly string[] {
  const all = new Set(resources);
  const isCovered = (resource: string): boolean =>
    wildcardsOver(resource).some((wildcard) => wildcard !== resource && all.has(wildcard));
  return [...all].filter((each) => !isCovered(each)).sort();
}

function wildcardsOver(resource: string): readonly string[] {
  const [name = '', subresource] = resource.split('/');
  if (subresource === undefined) return ['*', '*/*'];
  return [`${name}/*`, `*/${subresource}`, '*/*'];
}
