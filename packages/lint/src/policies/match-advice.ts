import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { specReader } from '../cluster-issues.ts';
import { isPolicy } from '../inputs/inputs.ts';
import type { LintIssue } from '../issue.ts';
import { neverMatches } from './never-matches.ts';
import { unknownResources } from './unknown-resources.ts';

/** Explains why the match criteria of a native policy or binding cannot match anything; empty where they can. */
export function matchAdvice(manifest: Manifest, schemas: Schemas): readonly LintIssue[] {
  const spec = specReader(schemas)(manifest);
  const [path, match] = isPolicy(manifest)
    ? ['spec.matchConstraints', spec?.matchConstraints]
    : ['spec.matchResources', spec?.matchResources];
  return [
    ...unknownResources(manifest, match, { path, schemas }),
    ...neverMatches(manifest, match, { path, schemas }),
  ];
}
