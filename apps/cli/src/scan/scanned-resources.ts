import { member } from '@kubeadmit/apimachinery';
import type { Inputs } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { ServedResource } from '../input/elsewhere/kubectl.ts';

/** Kinds that come and go by themselves, or decide: nobody wants to hear what policies say of them. */
const left: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/**
 * The resources of a cluster that policies can concern: those that rules of native policies name, and all where there
 * are policies of Kyverno, or rules for equivalent versions.
 */
export function scannedResources(
  served: readonly ServedResource[],
  { policies, kyverno }: Pick<Inputs, 'policies' | 'kyverno'>,
  kinds: readonly string[] | undefined,
): readonly ServedResource[] {
  const wanted = kinds && new Set(kinds.map((kind) => kind.toLowerCase()));
  const rules = policies.flatMap(rulesOf);
  return served.filter((resource) => {
    const { group, plural, kind } = resource;
    if (left.has(`${group}/${plural}`)) return false;
    if (wanted !== undefined) return wanted.has(kind.toLowerCase()) || wanted.has(plural);
    return kyverno.length > 0 || rules.some((rule) => concerns(rule, resource));
  });
}

interface Rule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
}

function rulesOf({ object }: Manifest): readonly Rule[] {
  const rules = member(member(member(object, 'spec'), 'matchConstraints'), 'resourceRules');
  return (Array.isArray(rules) ? rules : []).map((rule: unknown) => ({
    groups: textsOf(member(rule, 'apiGroups')),
    resources: textsOf(member(rule, 'resources')),
  }));
}

/** Whether a rule may be about a resource, or about another group's form of it. */
function concerns({ resources }: Rule, { plural }: ServedResource): boolean {
  // The same resource in another group is an equivalent one; matching tells whether it is concerned.
  return resources.some((each) => each === plural || each === '*' || each === '*/*');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
