import { formatGroupVersion, type GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import type { MutatingPolicy } from '@kubeadmit/engine';
import { type Manifest, parseFieldPath, valueAt } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { tokenAt } from '../issue/located.ts';
import { checkMutations, type MutationProblem } from '../mutations/check-mutations.ts';

/** Returns the mutations that the server will reject, or apply differently. */
export function mutationIssues(
  manifest: Manifest,
  policy: MutatingPolicy,
  schemas: Schemas,
): LintIssue[] {
  return checkMutations(policy, schemas).map((problem) => {
    const { code, severity, position, fieldRef } = problem;
    const message = `${problem.message} (${about(problem)})`;
    const isExpression = fieldRef.endsWith('.expression');
    const text = valueAt(manifest.object as Value, parseFieldPath(fieldRef));
    const part = isExpression && typeof text === 'string' ? tokenAt(text, position) : undefined;
    return issueAt(manifest, fieldRef, { code, severity, message }, part);
  });
}

const mostKinds = 3;

function about({ fieldRef, kinds }: MutationProblem): string {
  const shown = kinds.slice(0, mostKinds).map(kindName).join(', ');
  const more = kinds.length - mostKinds;
  return `${fieldRef} for ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

function kindName(kind: GroupVersionKind): string {
  return `${formatGroupVersion(kind)} ${kind.kind}`;
}
