import { listOf, member } from '@kubeadmit/apimachinery';
import { groupBy } from '@kubeadmit/base';
import type { MatchResources, ResourceRule } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import { isExempt } from '@kubeadmit/matcher';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { namesResource } from '../inputs/resource-entries.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { type MatchedKind, matchedKinds } from '../mutations/matched-kinds.ts';

/** The position of match criteria, and the object that contains them. */
interface CriteriaPlace {
  readonly path: string;
  readonly schemas: Schemas;
  /** Whether a server reads the policy from its own disk, so that it sees the resources of policies, too. */
  readonly isStatic?: boolean;
}

/** Finds rules for existing resources, entries of them, and selectors that no request can match. */
export function neverMatches(
  manifest: Manifest,
  match: MatchResources | null | undefined,
  { path, schemas, isStatic = false }: CriteriaPlace,
): readonly LintIssue[] {
  if (match == null) return [];
  const rules = match.resourceRules ?? [];
  const isSeen = (rule: ResourceRule): boolean => isStatic && isExemptRule(rule);
  return [
    ...rules.flatMap((rule, i) =>
      (isSeen(rule) ? [] : deadParts(rule, match, schemas)).map(({ part, why, severity }) =>
        issue(manifest, `${path}.resourceRules[${i}]${part}`, why, severity),
      ),
    ),
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap((name) => {
      const why = selectorProblem(match[name]);
      return why === undefined ? [] : [issue(manifest, `${path}.${name}`, why)];
    }),
  ];
}

/** The match criteria of a binding that no request fits which its policy is about. */
export function neverMatchesPolicy(
  binding: Manifest,
  { match, policy }: { readonly match: MatchResources; readonly policy: MatchResources },
  schemas: Schemas,
): readonly LintIssue[] {
  if ((match.resourceRules ?? []).length === 0) return [];
  const own = matchedKinds(match, schemas);
  const others = new Set(matchedKinds(policy, schemas).map(requestKey));
  if (own.length === 0 || others.size === 0 || own.some((each) => others.has(requestKey(each)))) {
    return [];
  }
  const why = 'the policy matches none of these requests';
  return [issue(binding, 'spec.matchResources.resourceRules', why)];
}

function requestKey({ resource, subresource, operation }: MatchedKind): string {
  const { group, version } = resource;
  return [group, version, resource.resource, subresource, operation].join('/');
}

function issue(
  manifest: Manifest,
  field: string,
  why: string,
  severity: 'warning' | 'info' = 'warning',
): LintIssue {
  const message = `no request ever matches this: ${why}`;
  return issueAt(manifest, field, { code: 'never-matches', severity, message });
}

/** A part of a rule that no request matches. */
interface DeadPart {
  /** Empty for the whole rule. */
  readonly part: string;
  readonly why: string;
  readonly severity?: 'info';
}

/** A rule that matches no request, or the entries of its lists that prevent a match. */
function deadParts(
  rule: ResourceRule,
  match: MatchResources,
  schemas: Schemas,
): readonly DeadPart[] {
  const criteria = {
    ...match,
    resourceRules: [rule],
    namespaceSelector: null,
    objectSelector: null,
  };
  const matched = matchedKinds(criteria, schemas);
  if (matched.length === 0) {
    const why = ruleProblem(rule, match, schemas);
    return why === undefined ? [] : [{ part: '', why }];
  }
  const partsOf = (
    list: 'resources' | 'operations',
    isUsed: (entry: string) => boolean,
    severity?: 'info',
  ): readonly DeadPart[] =>
    (rule[list] ?? []).flatMap((entry, i) => {
      if (isUsed(entry)) return [];
      const why = ruleProblem({ ...rule, [list]: [entry] }, match, schemas);
      return why === undefined
        ? []
        : [{ part: `.${list}[${i}]`, why, ...(severity && { severity }) }];
    });
  return [
    ...partsOf('resources', (entry) =>
      matched.some(({ resource, subresource }) =>
        namesResource(entry, { resource: resource.resource, subresource }),
      ),
    ),
    // An operation too many does no harm.
    ...partsOf(
      'operations',
      (entry) => entry === '*' || matched.some(({ operation }) => operation === entry),
      'info',
    ),
  ];
}

function ruleProblem(
  rule: ResourceRule,
  match: MatchResources,
  schemas: Schemas,
): string | undefined {
  const matchPolicy = match.matchPolicy ?? null;
  const found = (
    changed: Partial<ResourceRule>,
    exclude: readonly ResourceRule[] = [],
  ): readonly MatchedKind[] =>
    matchedKinds(
      {
        matchPolicy,
        resourceRules: [{ ...rule, resourceNames: null, ...changed }],
        excludeResourceRules: exclude as ResourceRule[],
      },
      schemas,
    );
  const excluded = match.excludeResourceRules ?? [];
  if (found({}, excluded).length > 0) return undefined;
  if (found({}).length > 0) return '`excludeResourceRules` excludes all of it';
  const names = rule.resources ?? [];
  const [name = ''] = names;
  const subject = names.length === 1 && !name.includes('*') ? `\`${name}\`` : undefined;
  if (found({ scope: '*' }).length > 0) {
    const scope = rule.scope === 'Cluster' ? 'cluster-scoped' : 'namespaced';
    return subject ? `${subject} is not ${scope}` : `none of its resources is ${scope}`;
  }
  const any = found({ scope: '*', operations: ['*'] });
  if (any.length > 0) {
    const asked = (rule.operations ?? []).join(' or ');
    if (subject === undefined) return `none of its resources has the operation ${asked}`;
    const known = [...new Set(any.map(({ operation }) => operation))].join(', ');
    return `${subject} does not have the operation ${asked}, only ${known}`;
  }
  // Other lint rules report unknown resources and those that policies never match.
  const named = namedResources(rule, schemas);
  if (named.length === 0) return undefined;
  if (isExemptRule(rule)) return 'policies never receive requests for these resources';
  return named.every(isOnlyRead)
    ? `${subject ?? 'the resource'} is read-only, and policies never receive read requests`
    : undefined;
}

/** The verbs of an existing resource or subresource. */
type Verbs = Pick<Resource, 'verbs'>;

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

function isOnlyRead({ verbs }: Verbs): boolean {
  return verbs.every((verb) => readVerbs.has(verb));
}

/** The resources and subresources that a rule names. */
function namedResources(
  { apiGroups, apiVersions, resources }: ResourceRule,
  schemas: Schemas,
): readonly Verbs[] {
  const isIn = (list: readonly string[] | null | undefined, name: string): boolean =>
    list?.includes('*') === true || list?.includes(name) === true;
  return listResources(schemas)
    .filter(({ group, version }) => isIn(apiGroups, group) && isIn(apiVersions, version))
    .flatMap((each) => [
      { resource: each.resource, subresource: '', verbs: each.verbs },
      ...each.subresources.map(({ name, verbs }) => ({
        resource: each.resource,
        subresource: name,
        verbs,
      })),
    ])
    .filter((each) => (resources ?? []).some((entry) => namesResource(entry, each)));
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
    ...listOf(expressions).map((each) => ({
      key: String(member(each, 'key')),
      operator: String(member(each, 'operator')),
      values: (member(each, 'values') ?? []) as readonly unknown[],
    })),
  ];
  for (const [key, own] of groupBy(requirements, (each) => each.key)) {
    const isAbsent = own.some(({ operator }) => operator === 'DoesNotExist');
    const isNeeded = own.some(({ operator }) => operator === 'In' || operator === 'Exists');
    if (isAbsent && isNeeded) return `the label ${key} cannot both exist and be missing`;
    const wanted = own.filter(({ operator }) => operator === 'In').map(({ values }) => values);
    const refused = own
      .filter(({ operator }) => operator === 'NotIn')
      .flatMap(({ values }) => values);
    const [first, ...more] = wanted;
    const left = first?.filter(
      (value) => more.every((each) => each.includes(value)) && !refused.includes(value),
    );
    if (left?.length === 0) return `no value of the label ${key} satisfies all of its requirements`;
  }
  return undefined;
}
