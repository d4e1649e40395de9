import { closest, didYouMean } from '@kubeadmit/base';
import type { Manifest } from '@kubeadmit/manifest';
import type { Expectation } from '../format/expectation.ts';
import type { CaseCluster } from '../load/cluster-loader.ts';
import { CaseProblem } from '../load/reference-reader.ts';

/**
 * Requires the policy and the binding that an expectation names to be in the cluster: nothing would ever concern one
 * that is not, and a case that expects that would pass whatever the policies say.
 *
 * @throws CaseProblem where one is not.
 */
export function requireKnownNames(
  { policy, binding }: Expectation,
  { inputs: { policies, kyverno, statics, bindings } }: CaseCluster,
): void {
  requireName('policy', policy, [...policies, ...statics, ...kyverno]);
  requireName('binding', binding, [...bindings, ...statics]);
}

function requireName(
  what: string,
  name: string | undefined,
  manifests: readonly Pick<Manifest, 'name' | 'namespace'>[],
): void {
  const names = manifests.flatMap((each) => [each.name, `${each.namespace}/${each.name}`]);
  if (name === undefined || names.includes(name)) return;
  const hint = didYouMean(closest(name, names));
  throw new CaseProblem(`the case has no ${what} \`${name}\`${hint}`);
}
