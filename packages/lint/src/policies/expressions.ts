import { formatGroupVersionKind } from '@kubeadmit/apimachinery';
import type { PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { odditiesOf } from '../expressions/oddities.ts';
import type { ExpressionFinding, PolicyExpression } from '../expressions/policy-expressions.ts';
import { Presence } from '../expressions/presence.ts';
import { type SeenRequests, unguardedReads } from '../expressions/unguarded.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { tokenAt } from '../issue/located.ts';
import { findRule } from '../issue/rules.ts';
import { matchedKinds } from '../mutations/matched-kinds.ts';

/** Returns the oddities of a policy's expressions. */
export function expressionAdvice(
  manifest: Manifest,
  {
    spec,
    expressions,
  }: { readonly spec: PolicySpec; readonly expressions: readonly PolicyExpression[] },
  schemas: Schemas,
): readonly LintIssue[] {
  if (expressions.length === 0) return [];
  const seen = seenRequests(spec, schemas);
  return [
    ...expressions.flatMap(odditiesOf),
    ...unguardedReads(expressions, seen, new Presence(schemas)),
  ].map((finding) => findingIssue(manifest, finding, expressions));
}

/** Kinds beyond which a policy is taken to be about objects in general. */
const mostKinds = 25;

/** A kind with the common fields of objects, and few others. */
const anyKind = { group: '', version: 'v1', kind: 'ConfigMap' };

/** Returns the requests that a policy may receive. */
export function seenRequests(spec: PolicySpec, schemas: Schemas): SeenRequests {
  const matched = matchedKinds(spec.matchConstraints ?? {}, schemas);
  const changed = matched.filter(({ operation }) => operation !== 'CONNECT');
  const byName = new Map(changed.map(({ kind }) => [formatGroupVersionKind(kind), kind]));
  const kinds = [...byName.values()];
  const named = (spec.matchConstraints?.resourceRules ?? []).flatMap(
    (rule) => rule.operations ?? [],
  );
  const operations = named.includes('*')
    ? matched.map(({ operation }) => operation)
    : named.filter((each) => matched.length === 0 || matched.some((one) => one.operation === each));
  return {
    operations: new Set<string>(operations),
    // If there are very many kinds, only fields that all objects may lack are inspected; without a rule, which
    // means all kinds, none.
    kinds: kinds.length > mostKinds ? (spec.matchConstraints == null ? [] : [anyKind]) : kinds,
    labels: neededLabels(spec.matchConstraints?.objectSelector),
  };
}

/** Labels that a selector asks for; an update may select by the old object alone. */
function neededLabels(selector: LabelSelector | null | undefined): readonly string[] {
  const { matchLabels, matchExpressions } = selector ?? {};
  const needed = (matchExpressions ?? []).filter(
    ({ operator }) => operator === 'In' || operator === 'Exists',
  );
  return [...Object.keys(matchLabels ?? {}), ...needed.map(({ key }) => key ?? '')];
}

type LabelSelector = NonNullable<NonNullable<PolicySpec['matchConstraints']>['objectSelector']>;

function findingIssue(
  manifest: Manifest,
  { field, code, position, message }: ExpressionFinding,
  expressions: readonly PolicyExpression[],
): LintIssue {
  const { text = '' } = expressions.find((each) => each.field === field) ?? {};
  const severity = findRule(code)?.severity ?? 'warning';
  const told = `${message} (${field})`;
  return issueAt(manifest, field, { code, severity, message: told }, tokenAt(text, position));
}
