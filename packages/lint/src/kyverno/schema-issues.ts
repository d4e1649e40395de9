import { formatFieldPath } from '@kubeadmit/apimachinery/internal';
import { closest, getOrMake, requireArgument } from '@kubeadmit/go/internal';
import { findSchemaProblems, type SchemaProblem } from '@kubeadmit/kyverno/internal';
import type { Manifest, Path } from '@kubeadmit/manifest';
import type { Fix, LintIssue, Severity } from '../issue.ts';
import { located } from '../located.ts';
import { renaming, type UnknownField } from '../policies/unknown-fields.ts';
import { repairString } from '../repair.ts';
import { policyJson } from './json.ts';

const known = new WeakMap<Manifest, readonly SchemaProblem[]>();

function problemsOf(manifest: Manifest): readonly SchemaProblem[] {
  return getOrMake(known, manifest, () => findSchemaProblems(policyJson(manifest.object)));
}

/** What a server with Kyverno's definitions refuses of an object of Kyverno, before Kyverno is asked. */
export function refusedBySchema(manifest: Manifest): readonly LintIssue[] {
  requireArgument('refusedBySchema', manifest, {
    what: 'manifests as readManifests gives them',
    has: 'object',
  });
  return problemsOf(manifest)
    .filter(({ kind }) => kind === 'refused')
    .map((problem) => valueIssue(manifest, problem, 'kyverno-refused', 'error'));
}

/** What the definitions leave open, though it is not what they know. */
export function oddBySchema(manifest: Manifest): readonly LintIssue[] {
  return problemsOf(manifest)
    .filter(({ kind }) => kind === 'odd')
    .map((problem) => valueIssue(manifest, problem, 'kyverno-warning', 'warning'));
}

/** Fields that the kind of an object of Kyverno does not have, as kube-apiserver finds them. */
export function findUnknownKyvernoFields(manifest: Manifest): readonly UnknownField[] {
  requireArgument('findUnknownKyvernoFields', manifest, {
    what: 'manifests as readManifests gives them',
    has: 'object',
  });
  return unknownKyvernoFields(manifest, '').map(({ issue, warning }) => ({ ...issue, warning }));
}

/** The same, as issues: the server takes the object without them. */
export function unknownKyvernoFields(
  manifest: Manifest,
  effect = ', which is ignored',
): readonly { readonly issue: LintIssue; readonly warning: string }[] {
  return problemsOf(manifest)
    .filter(({ kind }) => kind === 'unknown')
    .map(({ path, message: warning, choices }) => {
      const meant = closest(String(path.at(-1)), choices);
      const message = `${warning}${effect}${hint(meant)}`;
      const issue = issueOf(manifest, path, {
        code: 'unknown-field',
        severity: 'warning',
        message,
      });
      const { fix } = renaming(manifest, path, meant);
      return { warning, issue: { ...issue, ...located(manifest, path, 'key'), fix } };
    });
}

function valueIssue(
  manifest: Manifest,
  { path, message, choices }: SchemaProblem,
  code: string,
  severity: Severity,
): LintIssue {
  const value = path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    manifest.object,
  );
  if (message.startsWith('unknown field')) {
    const meant = closest(String(path.at(-1)), choices);
    const issue = issueOf(manifest, path, { code, severity, message: `${message}${hint(meant)}` });
    return { ...issue, ...located(manifest, path, 'key'), ...renaming(manifest, path, meant) };
  }
  const near = typeof value === 'string' ? closest(value, choices) : undefined;
  // Of `enforce` and `Enforce`, the former is only kept for what was written before.
  const meant = choices.findLast((each) => each.toLowerCase() === near?.toLowerCase());
  const fix: Fix | undefined =
    typeof value !== 'string' || meant === undefined
      ? undefined
      : repairString(manifest, path, `write \`${meant}\``, [
          { range: { start: 0, end: value.length }, newText: meant },
        ]);
  const issue = issueOf(manifest, path, { code, severity, message: `${message}${hint(meant)}` });
  return { ...issue, refused: severity === 'error', fix };
}

function hint(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean \`${meant}\`?)`;
}

function issueOf(
  manifest: Manifest,
  path: Path,
  text: Pick<LintIssue, 'code' | 'severity' | 'message'>,
): LintIssue {
  const field = formatFieldPath(path);
  return { manifest, ...located(manifest, path), field, ...text, refused: false };
}
