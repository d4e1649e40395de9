import { getOrMake } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { isReview } from '@kubeadmit/chain/requests';
import { stringifyJson } from '@kubeadmit/go';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { type GivenManifest, objectKey } from './inputs.ts';

/** Manifests without duplicates, and the problems to report about the duplicates. */
export interface SettledManifests {
  readonly given: readonly GivenManifest[];
  /** Objects that occur twice and differ. */
  readonly problems: readonly InputProblem[];
  /** Objects that occur twice and are equal, or of which the last one wins. */
  readonly notes: readonly InputProblem[];
}

/** Which of several objects with one name is used. */
export interface SettleOptions {
  /** Whether the last one is used, not the first; default not. */
  readonly lastWins?: boolean | undefined;
  /** The objects that nothing uses: two of them may have one name. Default none. */
  readonly unused?: ReadonlySet<Manifest> | undefined;
}

/**
 * Chooses among objects with the same name: the first, or with `lastWins` the last, since overlays follow their bases.
 * An object of `-r` always replaces one from elsewhere, since `-r` objects are always checked. Reviews, objects without
 * a name and the files of Kyverno's tests, such as Values, are never duplicates.
 */
export function settleDuplicates(
  given: readonly GivenManifest[],
  { lastWins = false, unused }: SettleOptions,
): SettledManifests {
  const kept = new Map<string | symbol, GivenManifest>();
  const problems: InputProblem[] = [];
  const notes: InputProblem[] = [];
  for (const one of given) {
    const { manifest } = one;
    const isNamed = manifest.name !== '' && !isReview(manifest) && !isOfTests(manifest);
    const key = isNamed ? objectKey(manifest) : Symbol('no name');
    const before = getOrMake(kept, key, () => one);
    if (before === one) continue;
    if (unused?.has(manifest) && unused.has(before.manifest)) continue;
    const isChecked = one.role === 'resources' && before.role !== 'resources';
    const where = `first in ${before.manifest.file}:${before.manifest.line}`;
    const tell = (text: string): InputProblem =>
      manifest.problem([], `${manifest.title} is defined twice, ${where}${text}`);
    if (isEqual(manifest, before.manifest)) notes.push(tell(', and both are equal'));
    else if (lastWins) notes.push(tell('; this one is used'));
    else problems.push(tell(''));
    if (!lastWins && !isChecked) continue;
    // An object of `-r` takes its own place in the order of the report.
    if (isChecked) kept.delete(key);
    kept.set(key, one);
  }
  return { given: [...kept.values()], problems, notes };
}

/** Whether a manifest belongs to tests of Kyverno, whose CLI ignores its name. */
function isOfTests(manifest: Manifest): boolean {
  return kyvernoRole(manifest) === 'test';
}

function isEqual(left: Manifest, right: Manifest): boolean {
  return stringifyJson(left.object) === stringifyJson(right.object);
}
