import type { CheckPlan, LoadedCheck } from '@kubeadmit/check';
import { policyFindings } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem } from '@kubeadmit/manifest';

/**
 * Returns the warnings of the type checker about policies whose expressions failed: where the expression is, and which
 * field it probably means.
 *
 * @param failed the names of the policies with errors
 */
export function failedExpressions(
  { inputs, schemas }: Pick<CheckPlan, 'inputs' | 'schemas'>,
  { chain }: Pick<LoadedCheck, 'chain'>,
  failed: ReadonlySet<string>,
): readonly InputProblem[] {
  const policies = inputs.policies.filter(({ name }) => failed.has(name));
  if (policies.length === 0) return [];
  const byTitle = new Map(policies.map((policy) => [`${policy.kind}/${policy.name}`, policy]));
  const found = policyFindings(chain.cluster, (title) => byTitle.get(title), schemas);
  return found.filter(({ code }) => code === 'type-warning');
}
