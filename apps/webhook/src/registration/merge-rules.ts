import type { WebhookRule } from '@kubeadmit/check/internal';
import type { Lifeline } from './lifelines.ts';

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly scope: string;
}

/** Rules for all that policies may match, as few as possible; lifelines that a rule names are left out. */
export function mergeRules(
  rules: readonly WebhookRule[],
  exempt: readonly Lifeline[],
): readonly WebhookRule[] {
  const operations = new Map<string, Set<string>>();
  for (const rule of rules) {
    for (const target of targetsOf(rule)) {
      if (exempt.some((lifeline) => isWithin(target, lifeline))) continue;
      const key = JSON.stringify(target);
      const known = operations.get(key) ?? new Set();
      for (const operation of rule.operations) known.add(operation);
      operations.set(key, known);
    }
  }
  const merged = new Map<string, { readonly target: Target; readonly resources: string[] }>();
  for (const [key, all] of operations) {
    const target = JSON.parse(key) as Target;
    const own = { ...target, resource: '', operations: all.has('*') ? ['*'] : [...all].sort() };
    const group = JSON.stringify(own);
    const { resources } = merged.get(group) ?? { resources: [] as string[] };
    resources.push(target.resource);
    merged.set(group, { target, resources });
  }
  return [...merged]
    .map(([key, { target, resources }]) => ({
      apiGroups: [target.group],
      apiVersions: [target.version],
      operations: (JSON.parse(key) as { readonly operations: readonly string[] }).operations,
      resources: uncovered(resources),
      scope: target.scope,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Whether rules may be about a lifeline by a wildcard. */
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

// Whether all that is meant is of the lifeline.
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

// kube-apiserver refuses rules that name what a wildcard beside it means.
function uncovered(resources: readonly string[]): readonly string[] {
  const all = [...new Set(resources)].sort();
  return all.filter((each) => !all.some((other) => other !== each && covers(other, each)));
}

function covers(wildcard: string, resource: string): boolean {
  if (wildcard === '*/*') return true;
  const [name = '', subresource] = resource.split('/');
  if (wildcard === '*') return subresource === undefined;
  const [wildName, wildSubresource] = wildcard.split('/');
  if (subresource === undefined || wildSubresource === undefined) return false;
  return (
    (wildName === '*' || wildName === name) &&
    (wildSubresource === '*' || wildSubresource === subresource)
  );
}
