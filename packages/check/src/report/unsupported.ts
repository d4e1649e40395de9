import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { KyvernoPolicies } from '@kubeadmit/chain/kyverno';
import type { ManifestSource } from '@kubeadmit/lint/kyverno';
import type { InputProblem } from '@kubeadmit/manifest';

/** The policies and rules of Kyverno that are not evaluated, why, and where they stand. */
export function unsupportedProblems(
  { classic, unsupported }: KyvernoPolicies,
  manifestOf: ManifestSource,
): readonly InputProblem[] {
  const problem = (object: KubernetesObject, rule: string, reason: string): InputProblem => {
    const { file, line, origin, title } = manifestOf(object);
    const message = `${rule}${title} is not checked: ${reason}`;
    return { file, place: { line, column: 1 }, source: origin.source, message };
  };
  return [
    ...unsupported.map(({ object, reason }) => problem(object, '', reason)),
    ...classic.flatMap(({ object, unsupportedRules }) =>
      [...unsupportedRules].map(([rule, reason]) =>
        problem(object, `the rule ${rule} of `, reason),
      ),
    ),
  ];
}
