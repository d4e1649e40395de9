import { type JsonObject, member, memberList } from '@kubeadmit/apimachinery';
import type { Chain } from '../chain/chain.ts';
import { kindsOf, type ServedKind } from '../requests/served-kind.ts';

/** Whether policies may match objects of a kind. */
export type ConcernsKind = (kind: ServedKind) => boolean;

/**
 * Finds the kinds that the validating policies of a chain may match on creation, and on request those of mutating
 * policies. Native policies match equivalent resources of other groups and versions too, so only the name of a resource
 * rules it out; matching then drops the surplus.
 */
export async function concernedKinds(
  { cluster, kyverno }: Pick<Chain, 'cluster' | 'kyverno'>,
  { withMutating = false }: { readonly withMutating?: boolean } = {},
): Promise<ConcernsKind> {
  const native = [...cluster.validatingPolicies, ...(withMutating ? cluster.mutatingPolicies : [])];
  const concerns: ConcernsKind[] = native.map((policy) => byRules(member(policy, 'spec')));
  if (kyverno !== undefined) {
    const [
      { computeRules, generateMutating, generateValidating },
      { parseKindSelector, selectsKind },
    ] = await Promise.all([
      import('@kubeadmit/kyverno/unstable-internal'),
      import('@kubeadmit/kyverno/patterns'),
    ]);
    const { classic, cel } = kyverno.policies;
    for (const { policy, object } of cel) {
      const isMutating = policy.type === 'Mutation';
      const isValidating = policy.type === 'Validation' || policy.type === 'ImageVerify';
      if (!isValidating && !(isMutating && withMutating)) continue;
      const spec = member(object, 'spec') as JsonObject;
      const generated = isMutating ? generateMutating(spec) : generateValidating(spec);
      concerns.push(byRules(spec), ...generated.map((made) => byRules(made.spec)));
    }
    for (const { object } of classic) {
      const selectors = computeRules(object as JsonObject, '')
        .filter((rule) => withMutating || member(rule, 'mutate') === undefined)
        .flatMap((rule) => kindsOf(member(rule, 'match')))
        .map(parseKindSelector);
      concerns.push((kind) => selectors.some((selector) => selectsKind(selector, kind, '')));
    }
  }
  return (kind) => concerns.some((concern) => concern(kind));
}

function byRules(spec: unknown): ConcernsKind {
  const rules = memberList(member(spec, 'matchConstraints'), 'resourceRules');
  const resources = rules
    .filter((rule) => memberList(rule, 'operations').some((each) => isAnyOr(each, 'CREATE')))
    .flatMap((rule) => memberList(rule, 'resources'));
  return ({ resource }) => resources.some((each) => each === '*/*' || isAnyOr(each, resource));
}

function isAnyOr(value: unknown, wanted: string): boolean {
  return value === '*' || value === wanted;
}
