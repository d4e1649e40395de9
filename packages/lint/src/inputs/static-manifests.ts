import {
  readStaticManifests,
  type StaticManifest,
  type StaticOptions,
  type StaticPolicies,
} from '@kubeadmit/admission/static-policies';
import type { Manifest } from '@kubeadmit/manifest';
import { type PolicyProblem, refusalProblems } from './refusal-problems.ts';

/** The manifests that a server reads from its own disk, and their problems. */
export interface ReadStatics {
  readonly policies: StaticPolicies;
  /** Problems that prevent the server from starting, with positions. */
  readonly problems: readonly PolicyProblem[];
}

/** Reads static manifests as a server does that starts; see `readStaticManifests`. */
export function readStatics(statics: readonly Manifest[], options: StaticOptions): ReadStatics {
  const manifests = new Map<StaticManifest, Manifest>();
  for (const manifest of statics) {
    manifests.set({ file: manifest.file, object: manifest.object }, manifest);
  }
  const policies = readStaticManifests([...manifests.keys()], options);
  const problems = policies.errors.flatMap((refusal): readonly PolicyProblem[] => {
    const manifest = manifests.get(refusal.manifest) as Manifest;
    if (refusal.fields !== undefined) return refusalProblems(manifest, refusal);
    const { message } = refusal;
    return [{ ...manifest.problem([], message), manifest, field: '', code: 'static-manifest' }];
  });
  return { policies, problems };
}
