import { closest } from '@kubeadmit/go/internal';
import { type InputProblem, type Manifest, type Path, parseFieldPath } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { type MergeType, mergeType, unknownFieldWarnings } from '@kubeadmit/schemas/internal';
import { issueAt, type LintIssue } from '../issue.ts';
import { typeBelow } from '../type-below.ts';

/** A field that the kind of an object does not have. */
export interface UnknownField extends InputProblem {
  /** What kube-apiserver says of it: `unknown field "spec.replica"`. */
  readonly warning: string;
}

/** Fields of an object that its kind does not have, as kube-apiserver finds them where it validates fields. */
export function findUnknownFields(manifest: Manifest, schemas: Schemas): UnknownField[] {
  return unknownFieldIssues(manifest, schemas, '').map(({ warning, issue }) => ({
    ...issue,
    warning,
  }));
}

/** The same of what is linted, as issues: where the server does not validate fields, it takes the object without them. */
export function unknownFields(manifest: Manifest, schemas: Schemas): LintIssue[] {
  return unknownFieldIssues(manifest, schemas, ', which is ignored').map(({ issue }) => issue);
}

function unknownFieldIssues(manifest: Manifest, schemas: Schemas, effect: string) {
  const { group, version, kind, object } = manifest;
  const warnings = unknownFieldWarnings(schemas, object);
  if (warnings.length === 0) return [];
  const type = mergeType(schemas, { group, version, kind });
  return warnings.flatMap((warning) => {
    const field = quoted(warning);
    if (field === undefined) return [];
    const meant = meantName(field, type);
    const hint = meant === undefined ? '' : ` (did you mean \`${meant}\`?)`;
    const message = `${warning}${effect}${hint}`;
    const text = { code: 'unknown-field', severity: 'warning', message } as const;
    const issue = issueAt(manifest, field, text, 'key');
    return [{ warning, issue: { ...issue, ...renaming(manifest, parseFieldPath(field), meant) } }];
  });
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

/** The field that is meant with one that there is not. */
function meantName(field: string, root: MergeType | undefined): string | undefined {
  const path = parseFieldPath(field);
  const name = path.at(-1);
  const type = typeBelow(root, path.slice(0, -1));
  return typeof name === 'string' ? closest(name, type?.map?.names?.() ?? []) : undefined;
}
