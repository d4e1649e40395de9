import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { isPolicy } from '../inputs/inputs.ts';
import type { LintIssue } from '../issue/issue.ts';
import { neverMatches } from './never-matches.ts';
import type { SpecOf } from './policy-spec.ts';
import { unknownResources } from './unknown-resources.ts';

/** Explains why the match criteria of a native policy or binding cannot match anything; empty if they can. */
export function matchAdvice(
  manifest: Manifest,
  spec: ReturnType<SpecOf>,
  { schemas, isStatic = false }: { readonly schemas: Schemas; readonly isStatic?: boolean },
): LintIssue[] {
  const [path, match] = isPolicy(manifest)
    ? ['spec.matchConstraints', spec?.matchConstraints]
    : ['spec.matchResources', spec?.matchResources];
  return [
    ...unknownResources(manifest, match, { path, schemas }),
    ...neverMatches(manifest, match, { path, schemas, isStatic }),
  ];
}
