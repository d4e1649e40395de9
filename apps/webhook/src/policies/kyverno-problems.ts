import type { KyvernoProblem } from '@kubeadmit/check/internal';
import { objectName } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/** What is wrong with the policies of Kyverno. */
export interface KyvernoProblems {
  /** What a server or Kyverno itself would refuse. */
  readonly refused: readonly Problem[];
  /** What is not evaluated here; the others act. */
  readonly unsupported: readonly Problem[];
}

/** Tells what is wrong with the policies of Kyverno; `places` tells where objects are from. */
export function kyvernoProblems(
  problems: readonly KyvernoProblem[],
  places: ReadonlyMap<string, string>,
): KyvernoProblems {
  const ofKind = (wanted: KyvernoProblem['kind']): readonly Problem[] =>
    problems
      .filter(({ kind }) => kind === wanted)
      .map(({ object, message }) => ({
        place: places.get(objectName(object)) ?? objectName(object),
        message: `${objectName(object)}: ${message}`,
      }));
  return { refused: ofKind('refused'), unsupported: ofKind('unsupported') };
}
