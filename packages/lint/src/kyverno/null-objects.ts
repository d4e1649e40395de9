import { member } from '@kubeadmit/apimachinery';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import type { PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { expressionsOf } from '../expressions/policy-expressions.ts';
import type { LintIssue } from '../issue/issue.ts';
import { expressionAdvice } from '../policies/expressions.ts';

/**
 * Returns the expressions of Kyverno's CEL policies that read `object` or `oldObject` in requests where it is null: an
 * error, which denies the request unless the failure policy is Ignore.
 */
export function nullObjects(manifest: Manifest, schemas: Schemas): readonly LintIssue[] {
  if (kyvernoRole(manifest) !== 'cel') return [];
  const spec = member(manifest.object, 'spec') as PolicySpec | undefined;
  if (!Array.isArray(spec?.matchConstraints?.resourceRules)) return [];
  const expressions = expressionsOf(spec);
  return expressionAdvice(manifest, { spec, expressions }, schemas).filter(
    ({ code }) => code === 'null-object',
  );
}
