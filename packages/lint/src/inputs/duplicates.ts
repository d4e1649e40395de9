import { getOrMake, stringifyJson } from '@kubeadmit/go/internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { problemOf } from './configuration.ts';
import { type GivenManifest, isReview, objectKey } from './inputs.ts';

/** Manifests without those that are there twice, and what is to be said of these. */
export interface SettledManifests {
  readonly given: readonly GivenManifest[];
  /** Objects that are there twice and differ: the first counts. */
  readonly problems: readonly InputProblem[];
  /** Objects that are there twice and are equal, or of which the last was to win. */
  readonly notes: readonly InputProblem[];
}

/**
 * Settles which of several objects with one name counts: the first, or with `lastWins` the last, as where overlays
 * follow what they change. Reviews and objects without a name have no such names.
 */
export function settleDuplicates(
  given: readonly GivenManifest[],
  { lastWins = false }: { readonly lastWins?: boolean | undefined },
): SettledManifests {
  const kept = new Map<string | symbol, GivenManifest>();
  const problems: InputProblem[] = [];
  const notes: InputProblem[] = [];
  for (const one of given) {
    const { manifest } = one;
    const isNamed = manifest.name !== '' && !isReview(manifest);
    const key = isNamed ? objectKey(manifest) : Symbol('no name');
    const before = getOrMake(kept, key, () => one);
    if (before === one) continue;
    const where = `first in ${before.manifest.file}:${before.manifest.line}`;
    const tell = (text: string): InputProblem =>
      problemOf(manifest, [], `${manifest.title} is defined twice, ${where}${text}`);
    if (isEqual(manifest, before.manifest)) notes.push(tell(', and both are equal'));
    else if (lastWins) notes.push(tell(': this one counts'));
    else problems.push(tell(''));
    if (lastWins) kept.set(key, one);
  }
  return { given: [...kept.values()], problems, notes };
}

function isEqual(left: Manifest, right: Manifest): boolean {
  return stringifyJson(left.object) === stringifyJson(right.object);
}
