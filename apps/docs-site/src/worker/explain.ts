import { Explainer, type ExplainedPolicy as FoundPolicy } from '@kubeadmit/check';
import { type Manifest, parseFieldPath } from '@kubeadmit/manifest';
import type { ExplainedPolicy, Setting } from './judgement.ts';
import { prepareFiles } from './prepare.ts';

/** Why native policies decide as they do, for each object in the order of the judgement. */
export async function explain({
  kubernetesVersions,
  ...setting
}: Setting): Promise<(readonly ExplainedPolicy[])[]> {
  const [kubernetesVersion = ''] = kubernetesVersions;
  const { check, chain } = await prepareFiles(kubernetesVersion, setting);
  if (check === undefined || chain === undefined) return [];
  const { policies } = check.inputs;
  const { cluster } = chain;
  const native = { ...chain, kyverno: undefined };
  const explainer = new Explainer({ check, cluster, chain: native, policies, kubernetesVersion });
  return check.requests.map((request) =>
    explainer.explain(request).policies.map((policy) => withPlaces(policy, policies)),
  );
}

/** A policy with the places of its expressions in the files. */
function withPlaces(policy: FoundPolicy, manifests: readonly Manifest[]): ExplainedPolicy {
  const manifest = manifests.find(
    ({ kind, name }) => kind === policy.kind && name === policy.policy,
  );
  if (manifest === undefined) return policy;
  return {
    ...policy,
    bindings: policy.bindings.map((binding) => ({
      ...binding,
      evaluations: binding.evaluations.map((evaluation) => ({
        ...evaluation,
        expressions: evaluation.expressions.map((expression) => {
          if (expression.path === '') return expression;
          const { line } = manifest.place(parseFieldPath(expression.path), 0);
          return { ...expression, file: manifest.file, line };
        }),
      })),
    })),
  };
}
