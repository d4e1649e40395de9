import { metadataString } from '@kubeadmit/apimachinery';
import type { ObservedEvaluation } from '@kubeadmit/engine';
import type { Expectation } from '../format/expectation.ts';
import type { CaseCluster } from '../load/cluster-loader.ts';

/** The cost of the expressions that were evaluated, of the policy that is meant or of all. */
export function costOf(
  observed: readonly ObservedEvaluation[],
  { policy }: Expectation,
  { check }: CaseCluster,
): number {
  const { validatingPolicies, mutatingPolicies } = check.chain.cluster;
  const meant = [...validatingPolicies, ...mutatingPolicies].filter(
    (each) => policy === undefined || metadataString(each, 'name') === policy,
  );
  const specs = new Set<unknown>(meant.map(({ spec }) => spec));
  return observed
    .filter(({ home }) => home !== undefined && specs.has(home.spec))
    .reduce((sum, { cost }) => sum + cost, 0);
}
