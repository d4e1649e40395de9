import { askedFacts, bindingsOf, explainUnevaluated } from '@kubeadmit/check/unstable-internal';
import type { AdmissionRequest, PolicySpec } from '@kubeadmit/engine';
import { type CaseOutcome, verdictsOf } from '../expect/outcome.ts';
import type { Expectation } from '../format/expectation.ts';
import type { CaseCluster } from '../load/cluster-loader.ts';

/** How many policies a message explains. */
const mostExplained = 3;

/** Adds to an outcome that no policy matched the reasons why, where the case expects something else. */
export function withUnmatchedReasons(
  outcome: CaseOutcome,
  { verdicts, policy: wanted }: Pick<Expectation, 'verdicts' | 'policy'>,
  { check, inputs }: Pick<CaseCluster, 'check' | 'inputs'>,
  request: AdmissionRequest,
): CaseOutcome {
  const [verdict] = verdictsOf(outcome);
  const isExplained = outcome.reasons.length > 0 || verdicts.includes('not matched');
  if (isExplained || verdict !== 'not matched') return outcome;
  const { cluster } = check.chain;
  const facts = askedFacts(cluster, request);
  const meant = inputs.policies.filter(({ name }) => wanted === undefined || name === wanted);
  const reasons = meant.slice(0, mostExplained).map((policy) => {
    const bindings = bindingsOf(policy, inputs.bindings);
    const spec = (policy.object['spec'] ?? {}) as PolicySpec;
    const given = { kind: policy.kind, cluster, request, facts };
    const { reason } = explainUnevaluated(spec, bindings, given);
    return meant.length === 1 ? reason : `${policy.name}: ${reason}`;
  });
  return { ...outcome, reasons };
}
