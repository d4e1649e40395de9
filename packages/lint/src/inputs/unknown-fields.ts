import { closest, didYouMean } from '@kubeadmit/base';
import { type Manifest, type Path, parseFieldPath } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { unknownFieldWarnings } from '@kubeadmit/schemas/unstable-internal';
import { typeBelow } from '../expressions/type-below.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** An unknown field, for which a server with strict field validation rejects the object. */
export interface UnknownField extends LintIssue {
  /** kube-apiserver's warning: `unknown field "spec.replica"`. */
  readonly warning: string;
}

/** Fields of an object that its kind does not have, as kube-apiserver finds them where it validates fields. */
export function findUnknownFields(manifest: Manifest, schemas: Schemas): UnknownField[] {
  const { group, version, kind, object } = manifest;
  const warnings = unknownFieldWarnings(schemas, object);
  if (warnings.length === 0) return [];
  const type = mergeType(schemas, { group, version, kind });
  return warnings.flatMap((warning) => {
    const field = quoted(warning);
    if (field === undefined) return [];
    const path = parseFieldPath(field);
    return [{ ...unknownField(manifest, path, warning, meantName(path, type)), field }];
  });
}

/** Such a field, and the one that may be meant with it. */
export function unknownField(
  manifest: Manifest,
  path: Path,
  warning: string,
  meant: string | undefined,
): UnknownField {
  const message = `${warning}${didYouMean(meant)}`;
  const text = { code: 'unknown-field', severity: 'error', message } as const;
  const issue = issueAt(manifest, path, text, 'key');
  return { ...issue, ...renaming(manifest, path, meant), warning };
}

function quoted(warning: string): string | undefined {
  const text = /^unknown field (".*")$/s.exec(warning)?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as string);
}

/** Renames a key where nothing has the other name yet. */
export function renaming(
  manifest: Manifest,
  path: Path,
  meant: string | undefined,
): Pick<LintIssue, 'fix'> {
  const range = manifest.keyRange(path);
  if (meant === undefined || range === undefined) return {};
  if (manifest.keyRange([...path.slice(0, -1), meant]) !== undefined) return {};
  const written = manifest.origin.source.text.slice(range.start, range.end);
  const quote = /^["']/.exec(written)?.[0] ?? '';
  const newText = `${quote}${meant}${quote}`;
  return { fix: { title: `write \`${meant}\``, edits: [{ range, newText }] } };
}

/** Returns the likely field in the place of an unknown one. */
function meantName(path: Path, root: MergeType | undefined): string | undefined {
  const name = path.at(-1);
  const type = typeBelow(root, path.slice(0, -1));
  return typeof name === 'string' ? closest(name, type?.map?.names?.() ?? []) : undefined;
}
