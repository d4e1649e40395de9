import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/check';
import { objectName } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/** What is wrong with the policies of Kyverno, and how many act. */
export interface KyvernoProblems {
  readonly count: number;
  /** What a server or Kyverno itself would refuse. */
  readonly refused: readonly Problem[];
  /** What is not evaluated here; the others act. */
  readonly unsupported: readonly Problem[];
}

/** Whether a server has taken an object already. */
export type IsStored = (object: KubernetesObject) => boolean;

/** Finds what is wrong with the policies of Kyverno in a chain; `places` tells where objects are from. */
export function kyvernoProblems(
  { kyverno }: Chain,
  places: ReadonlyMap<string, string>,
  isStored: IsStored,
): KyvernoProblems {
  if (kyverno === undefined) return { count: 0, refused: [], unsupported: [] };
  const { classic, cel } = kyverno.policies;
  const problems = kyverno.problems(isStored);
  const ofKind = (wanted: string): readonly Problem[] =>
    problems
      .filter(({ kind }) => kind === wanted)
      .map(({ object, message }) => ({
        place: places.get(objectName(object)) ?? objectName(object),
        message: `${objectName(object)}: ${message}`,
      }));
  return {
    count: classic.length + cel.length,
    refused: ofKind('refused'),
    unsupported: ofKind('unsupported'),
  };
}

/** The policies that Kyverno itself would refuse, and why. */
export function refusedByKyverno(
  { kyverno }: Chain,
  isStored: IsStored,
): readonly { readonly object: KubernetesObject; readonly message: string }[] {
  return kyverno?.problems(isStored).filter(({ kind }) => kind === 'refused') ?? [];
}
