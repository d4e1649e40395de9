import { type Manifest, parseFieldPath } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { type MergeType, mergeType } from '@kubeadmit/schemas/internal';
import { closest } from '../closest.ts';
import { issueAt, type LintIssue } from '../issue.ts';

/** Fields of a policy or a binding that its kind does not have: the server takes the object without them. */
export function unknownFields(manifest: Manifest, schemas: Schemas): LintIssue[] {
  const { group, version, kind, object } = manifest;
  const { warnings = [] } = decode(schemas, object, { fieldValidation: 'Warn' });
  const type = mergeType(schemas, { group, version, kind });
  return warnings.flatMap((warning) => {
    const field = quoted(warning);
    if (field === undefined) return [];
    const message = `${warning}, which is ignored${hintFor(field, type)}`;
    return [issueAt(manifest, field, { code: 'unknown-field', severity: 'warning', message })];
  });
}

function quoted(warning: string): string | undefined {
  const text = /^unknown field (".*")$/s.exec(warning)?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as string);
}

function hintFor(field: string, root: MergeType | undefined): string {
  const path = parseFieldPath(field);
  const name = path.at(-1);
  let type = root;
  for (const step of path.slice(0, -1)) {
    type =
      typeof step === 'number'
        ? type?.list?.element
        : (type?.map?.field(step)?.type ?? type?.map?.element);
  }
  const meant = typeof name === 'string' ? closest(name, type?.map?.names?.() ?? []) : undefined;
  return meant === undefined ? '' : ` (did you mean \`${meant}\`?)`;
}
