import { formatGroupVersion } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import type { MatchResources, ResourceRule } from '@kubeadmit/engine';
import { type Manifest, parseFieldPath } from '@kubeadmit/manifest';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { namesResource, splitEntry } from '../inputs/resource-entries.ts';
import { type IssueText, issueAt, type LintIssue } from '../issue/issue.ts';
import { repairString } from '../issue/repair.ts';

/**
 * Entries of `resources` that name nothing in any of the groups and versions of their rule, so that the
 * rule never matches because of them.
 *
 * Groups that are not built in may only lack their definition among the inputs.
 */
export function unknownResources(
  manifest: Manifest,
  match: MatchResources | null | undefined,
  { path, schemas }: { readonly path: string; readonly schemas: Schemas },
): LintIssue[] {
  const known = listResources(schemas);
  return (['resourceRules', 'excludeResourceRules'] as const).flatMap((list) =>
    (match?.[list] ?? []).flatMap((rule, i) =>
      (rule.resources ?? []).flatMap((entry, j) => {
        const found = unknownEntry(rule, entry, known, schemas.version);
        if (found === undefined) return [];
        const { meant, ...issue } = found;
        const field = `${path}.${list}[${i}].resources[${j}]`;
        const fix =
          meant === undefined
            ? undefined
            : repairString(manifest, parseFieldPath(field), { newText: meant });
        return [issueAt(manifest, field, { ...issue, fix })];
      }),
    ),
  );
}

function unknownEntry(
  rule: ResourceRule,
  entry: string,
  known: readonly Resource[],
  version: string,
): (IssueText & { readonly meant?: string | undefined }) | undefined {
  const groups = rule.apiGroups ?? [];
  const versions = rule.apiVersions ?? [];
  const inGroups = known.filter(({ group }) => groups.includes('*') || groups.includes(group));
  const served = inGroups.filter(
    (each) => versions.includes('*') || versions.includes(each.version),
  );
  if (served.some((resource) => fits(resource, entry))) return undefined;
  const code = 'unknown-resource';
  const where = groups
    .flatMap((group) => versions.map((each) => formatGroupVersion({ group, version: each })))
    .join(', ');
  if (inGroups.length === 0) {
    const message = `unknown resource \`${entry}\` in ${where}: add its CustomResourceDefinition to the inputs`;
    return { code, severity: 'info', message };
  }
  const other = inGroups.find((resource) => fits(resource, entry));
  const meant = other === undefined ? meantEntry(entry, served) : undefined;
  const home = other === undefined ? didYouMean(meant) : `: it is in ${formatGroupVersion(other)}`;
  const message = `unknown resource \`${entry}\` in ${where} (Kubernetes ${version})${home}`;
  return { code, severity: 'warning', message, meant };
}

function fits({ resource, subresources }: Resource, entry: string): boolean {
  return ['', ...subresources.map(({ name }) => name)].some((subresource) =>
    namesResource(entry, { resource, subresource }),
  );
}

/** Returns the likely resource in the place of an unknown one. */
function meantEntry(entry: string, served: readonly Resource[]): string | undefined {
  const { resource: name, subresource } = splitEntry(entry);
  const whole = served.find(({ resource }) => resource === name);
  const names = whole?.subresources.map((each) => `${name}/${each.name}`);
  const kind = served.find((each) => sameName(each.kind, name) || each.singular === name);
  const meant =
    names === undefined
      ? (kind?.resource ??
        closest(
          name,
          served.map(({ resource }) => resource),
        ))
      : closest(entry, names);
  const slash = names === undefined && subresource !== '' ? `/${subresource}` : '';
  return meant === undefined ? undefined : `${meant}${slash}`;
}

function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
