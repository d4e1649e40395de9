import { type GroupVersionKind, member } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { parseKindSelector, selectsKind } from '@kubeadmit/kyverno/patterns';
import type { Manifest } from '@kubeadmit/manifest';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { memberType } from '../expressions/type-below.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { readPaths } from './read-paths.ts';
import { type PlacedString, stringsIn } from './strings.ts';
import { queriesIn } from './variables.ts';

/** The members of `request` that rules can read; Kyverno adds the roles of the user. */
const requestMembers: readonly string[] = [
  ...['uid', 'kind', 'resource', 'subResource', 'requestKind', 'requestResource'],
  ...['requestSubResource', 'name', 'namespace', 'operation', 'userInfo', 'object', 'oldObject'],
  ...['dryRun', 'options', 'roles', 'clusterRoles'],
];
const userMembers: readonly string[] = ['username', 'uid', 'groups', 'extra'];

/** Returns variables that never have a value: unknown members of the request, and unknown fields of the matched kinds. */
export function unresolvedVariables(manifest: Manifest, schemas: Schemas): readonly LintIssue[] {
  if (kyvernoRole(manifest) !== 'classic') return [];
  const rules = member(member(manifest.object, 'spec'), 'rules');
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule, at) => {
    const kinds = matchedKinds(rule, schemas);
    const strings = stringsIn(rule, ['spec', 'rules', at]);
    return strings.flatMap((placed) => unresolvedIn(manifest, placed, { kinds, schemas }));
  });
}

interface Matched {
  readonly kinds: readonly GroupVersionKind[];
  readonly schemas: Schemas;
}

function unresolvedIn(
  manifest: Manifest,
  placed: PlacedString,
  matched: Matched,
): readonly LintIssue[] {
  return queriesIn(placed).flatMap(({ query, start }) =>
    readPaths(query).flatMap((steps) => {
      const problem = problemOf(steps, matched);
      if (problem === undefined) return [];
      const { name, severity, message } = problem;
      const from = start + Math.max(0, query.indexOf(`.${name}`) + 1);
      const range = { start: from, end: from + name.length };
      return [
        issueAt(manifest, placed.path, { code: 'kyverno-variable', severity, message }, range),
      ];
    }),
  );
}

interface Problem {
  /** The part of the variable that is unknown. */
  readonly name: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

function problemOf(
  [root, first, second = '', ...rest]: readonly string[],
  matched: Matched,
): Problem | undefined {
  if (root !== 'request' || first === undefined) return undefined;
  if (!requestMembers.includes(first)) return unknownMember('request', first, requestMembers);
  if (first === 'userInfo' && second !== '' && !userMembers.includes(second)) {
    return unknownMember('request.userInfo', second, userMembers);
  }
  const isObject = first === 'object' || first === 'oldObject';
  return isObject && second !== '' ? unknownField(first, [second, ...rest], matched) : undefined;
}

function unknownMember(owner: string, name: string, known: readonly string[]): Problem {
  const hint = didYouMean(closest(name, known));
  return { name, severity: 'error', message: `\`${owner}\` has no field \`${name}\`${hint}` };
}

/** The first field that none of the matched kinds has: the server drops it. */
function unknownField(
  object: string,
  steps: readonly string[],
  { kinds, schemas }: Matched,
): Problem | undefined {
  const found = kinds.map((kind) => firstUnknown(mergeType(schemas, kind), steps));
  const [first] = found;
  if (first === undefined || found.some((each) => each?.at !== first.at)) return undefined;
  const name = steps[first.at] ?? '';
  const owner = ['request', object, ...steps.slice(0, first.at)].join('.').replaceAll('.[]', '[]');
  const names = [...new Set(kinds.map(({ kind }) => kind))].join(', ');
  const message = `\`${owner}\` has no field \`${name}\` in ${names}${didYouMean(first.meant)}`;
  return { name, severity: 'warning', message };
}

function firstUnknown(
  root: MergeType | undefined,
  steps: readonly string[],
): { readonly at: number; readonly meant: string | undefined } | undefined {
  let type = root;
  for (const [at, step] of steps.entries()) {
    if (step === '[]') {
      type = type?.list?.element;
      continue;
    }
    const names = type?.map?.names?.() ?? [];
    const inner: MergeType | undefined = memberType(type, step);
    if (inner === undefined && names.length > 0) return { at, meant: closest(step, names) };
    type = inner;
  }
  return undefined;
}

/** The kinds that a rule matches, where each is one of Kubernetes itself; otherwise none. */
function matchedKinds(rule: unknown, schemas: Schemas): readonly GroupVersionKind[] {
  const match = member(rule, 'match');
  const names = stringsIn(match, []).flatMap(({ path, text }) =>
    path.at(-2) === 'kinds' ? [text] : [],
  );
  const builtIn = listResources(schemas).filter(({ definition }) => definition === undefined);
  const found = names.map((name) => {
    const selector = parseKindSelector(name);
    const isPlain = selector.subresource === '' && !/[*?{]/.test(selector.kind);
    return isPlain ? builtIn.filter((kind) => selectsKind(selector, kind, '')) : [];
  });
  return found.some((kinds) => kinds.length === 0) ? [] : found.flat();
}
