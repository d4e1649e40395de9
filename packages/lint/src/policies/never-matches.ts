import { member } from '@kubeadmit/apimachinery';
import type { MatchResources, ResourceRule } from '@kubeadmit/engine/internal';
import type { Manifest } from '@kubeadmit/manifest';
import { isExempt } from '@kubeadmit/matcher';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { issueAt, type LintIssue } from '../issue.ts';
import { matchedKinds } from '../mutations/matched-kinds.ts';

/** Rules of resources that there are, and selectors, which no request can ever fit. */
export function neverMatches(
  manifest: Manifest,
  match: MatchResources | null | undefined,
  { path, schemas }: { readonly path: string; readonly schemas: Schemas },
): readonly LintIssue[] {
  if (match == null) return [];
  const rules = match.resourceRules ?? [];
  return [
    ...rules.flatMap((rule, i) => {
      const why = ruleProblem(rule, match, schemas);
      return why === undefined ? [] : [issue(manifest, `${path}.resourceRules[${i}]`, why)];
    }),
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap((name) => {
      const why = selectorProblem(match[name]);
      return why === undefined ? [] : [issue(manifest, `${path}.${name}`, why)];
    }),
  ];
}

function issue(manifest: Manifest, field: string, why: string): LintIssue {
  const message = `no request ever matches this: ${why}`;
  return issueAt(manifest, field, { code: 'never-matches', severity: 'warning', message });
}

function ruleProblem(
  rule: ResourceRule,
  match: MatchResources,
  schemas: Schemas,
): string | undefined {
  const matchPolicy = match.matchPolicy ?? null;
  const found = (changed: Partial<ResourceRule>, exclude: readonly ResourceRule[] = []): number =>
    matchedKinds(
      {
        matchPolicy,
        resourceRules: [{ ...rule, resourceNames: null, ...changed }],
        excludeResourceRules: exclude as ResourceRule[],
      },
      schemas,
    ).length;
  const excluded = match.excludeResourceRules ?? [];
  if (found({}, excluded) > 0) return undefined;
  if (found({}) > 0) return '`excludeResourceRules` leaves nothing of it';
  if (found({ scope: '*' }) > 0) {
    return `none of its resources is ${rule.scope === 'Cluster' ? 'cluster-scoped' : 'namespaced'}`;
  }
  if (found({ scope: '*', operations: ['*'] }) > 0) {
    return `none of its resources has the operation ${(rule.operations ?? []).join(' or ')}`;
  }
  // Of resources that are not known, or that no policy gets to see, other rules tell.
  const names = rule.resources ?? [];
  const groups = rule.apiGroups ?? [];
  const isKnown = listResources(schemas).some(
    (each) => groups.includes(each.group) && names.includes(each.resource),
  );
  return isKnown && isExemptRule(rule) ? 'policies are not asked about these resources' : undefined;
}

function isExemptRule({ apiGroups = [], resources = [] }: ResourceRule): boolean {
  return (apiGroups ?? []).some((group) =>
    (resources ?? []).some((resource) =>
      isExempt({ resource: { group, version: '', resource } } as Parameters<typeof isExempt>[0]),
    ),
  );
}

/** Why requirements of a selector exclude each other. */
function selectorProblem(selector: unknown): string | undefined {
  const labels = Object.entries((member(selector, 'matchLabels') ?? {}) as Record<string, unknown>);
  const expressions = member(selector, 'matchExpressions');
  const requirements = [
    ...labels.map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...(Array.isArray(expressions) ? expressions : []).map((each) => ({
      key: String(member(each, 'key')),
      operator: String(member(each, 'operator')),
      values: (member(each, 'values') ?? []) as readonly unknown[],
    })),
  ];
  for (const key of new Set(requirements.map((each) => each.key))) {
    const own = requirements.filter((each) => each.key === key);
    const isAbsent = own.some(({ operator }) => operator === 'DoesNotExist');
    const isNeeded = own.some(({ operator }) => operator === 'In' || operator === 'Exists');
    if (isAbsent && isNeeded) return `the label ${key} can not be there and absent`;
    const wanted = own.filter(({ operator }) => operator === 'In').map(({ values }) => values);
    const refused = own
      .filter(({ operator }) => operator === 'NotIn')
      .flatMap(({ values }) => values);
    const [first, ...more] = wanted;
    const left = first?.filter(
      (value) => more.every((each) => each.includes(value)) && !refused.includes(value),
    );
    if (left?.length === 0) return `no value of the label ${key} fits all of its requirements`;
  }
  return undefined;
}
