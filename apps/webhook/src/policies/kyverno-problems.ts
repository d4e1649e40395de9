import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/check';
import { objectName } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/** What is wrong with the policies of Kyverno, and how many act. */
export interface KyvernoProblems {
  readonly count: number;
  /** What Kyverno itself would refuse. */
  readonly refused: readonly Problem[];
  /** What is not evaluated here; the others act. */
  readonly unsupported: readonly Problem[];
}

/** Finds what is wrong with the policies of Kyverno in a chain; `places` tells where objects are from. */
export function kyvernoProblems(
  chain: Chain,
  places: ReadonlyMap<string, string>,
): KyvernoProblems {
  const { kyverno } = chain;
  if (kyverno === undefined) return { count: 0, refused: [], unsupported: [] };
  const { classic, cel, unsupported } = kyverno.policies;
  const problem = (name: string, message: string): Problem => ({
    place: places.get(name) ?? name,
    message: `${name}: ${message}`,
  });
  return {
    count: classic.length + cel.length,
    refused: refusedByKyverno(chain).map(({ object, message }) =>
      problem(objectName(object), message),
    ),
    unsupported: [
      ...unsupported.map(({ object, reason }) => problem(objectName(object), reason)),
      ...classic.flatMap(({ object, unsupportedRules }) =>
        [...unsupportedRules].map(([rule, reason]) =>
          problem(objectName(object), `the rule ${rule} is not evaluated: ${reason}`),
        ),
      ),
    ],
  };
}

/** The policies that Kyverno itself would refuse, and why. */
export function refusedByKyverno({
  kyverno,
}: Chain): readonly { readonly object: KubernetesObject; readonly message: string }[] {
  const { classic = [] } = kyverno?.policies ?? {};
  return classic.flatMap(({ object, verdict }) => {
    const { error } = verdict();
    return error === '' ? [] : [{ object, message: error }];
  });
}
