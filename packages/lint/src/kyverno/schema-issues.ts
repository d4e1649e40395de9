import { closest, didYouMean, getOrMake } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { policyJson } from '@kubeadmit/chain/kyverno';
import { findSchemaProblems, type SchemaProblem } from '@kubeadmit/kyverno/validation';
import { type Manifest, valueAt } from '@kubeadmit/manifest';
import { renaming, type UnknownField, unknownField } from '../inputs/unknown-fields.ts';
import { issueAt, type LintIssue, type Severity } from '../issue/issue.ts';
import { repairString } from '../issue/repair.ts';

const known = new WeakMap<Manifest, readonly SchemaProblem[]>();

function problemsOf(manifest: Manifest, wanted: SchemaProblem['kind']): readonly SchemaProblem[] {
  const all = getOrMake(known, manifest, () => findSchemaProblems(policyJson(manifest.object)));
  return all.filter(({ kind }) => kind === wanted);
}

/** Returns the errors that a server reports for a Kyverno object by its definition, before Kyverno runs. */
export function refusedBySchema(manifest: Manifest): readonly LintIssue[] {
  return problemsOf(manifest, 'refused').map((problem) =>
    valueIssue(manifest, problem, 'kyverno-refused', 'error'),
  );
}

/** Returns values that the definitions leave open and Kyverno does not know. */
export function oddBySchema(manifest: Manifest): readonly LintIssue[] {
  return problemsOf(manifest, 'odd').map((problem) =>
    valueIssue(manifest, problem, 'kyverno-warning', 'warning'),
  );
}

/** Returns fields that the definitions leave open and Kyverno ignores, such as `al` instead of `all` in conditions. */
export function ignoredBySchema(manifest: Manifest): readonly LintIssue[] {
  return problemsOf(manifest, 'ignored').map((problem) => {
    const { path, message, choices } = problem;
    const meant = closest(String(path.at(-1)), choices);
    const text = `${message}, which Kyverno ignores${didYouMean(meant)}`;
    const told = { code: 'kyverno-ignored', severity: 'error' as const, message: text };
    return { ...issueAt(manifest, path, told, 'key'), ...renaming(manifest, path, meant) };
  });
}

/** Fields that the kind of an object of Kyverno does not have, as kube-apiserver finds them. */
export function findUnknownKyvernoFields(manifest: Manifest): readonly UnknownField[] {
  return problemsOf(manifest, 'unknown').map(({ path, message, choices }) =>
    unknownField(manifest, path, message, closest(String(path.at(-1)), choices)),
  );
}

function valueIssue(
  manifest: Manifest,
  problem: SchemaProblem,
  code: string,
  severity: Severity,
): LintIssue {
  const { path, message, choices } = problem;
  const value = valueAt(manifest.object as Value, path);
  const near = typeof value === 'string' ? closest(value, choices) : undefined;
  // Of `enforce` and `Enforce`, the former is only accepted for compatibility.
  const meant = choices.findLast((each) => each.toLowerCase() === near?.toLowerCase());
  const fix = meant === undefined ? undefined : repairString(manifest, path, { newText: meant });
  const told = { code, severity, message: `${message}${didYouMean(meant)}` };
  return { ...issueAt(manifest, path, told), refused: code === 'kyverno-refused', fix };
}
