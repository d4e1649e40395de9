import { type JsonObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import type { Finding, Passage } from '@kubeadmit/chain';
import type { ExplainedExpression } from '@kubeadmit/chain/expressions';
import { operationsOf } from '@kubeadmit/chain/findings';
import { type KyvernoPolicies, kyvernoRole } from '@kubeadmit/chain/kyverno';
import type { MatchResources } from '@kubeadmit/engine';
import type { PolicyTrace, RuleTrace, SpecTrace } from '@kubeadmit/kyverno/traces';
import type { Manifest } from '@kubeadmit/manifest';
import { keptText } from '../report/kept-text.ts';
import { type AskedFacts, exactReason } from './exact-reason.ts';
import type { ExplainedFilters, ExplainedPolicy, ExplainedRule } from './explanation.ts';
import { type AskedNamespace, filterPath, filterReasons, matchSentence } from './filter-reasons.ts';
import { explainSteps, type RulePlaces } from './kyverno-steps.ts';

/** The recorded evaluation of Kyverno's policies for one request. */
export interface SeenKyverno {
  readonly passage: Passage;
  readonly traces: readonly PolicyTrace[];
  readonly policies: KyvernoPolicies;
  readonly facts: AskedFacts;
  readonly lineOf: RulePlaces['lineOf'];
  readonly lineIn: (manifest: Manifest, path: string) => number | undefined;
  /** Returns the evaluated expressions of a CEL policy's spec, as written in the policy. */
  readonly expressionsOf: (
    manifest: Manifest,
    source: JsonObject,
  ) => readonly ExplainedExpression[];
}

/** Explains the results of Kyverno's policies for a request, rule by rule. */
export function explainKyverno(
  manifests: readonly Manifest[],
  seen: SeenKyverno,
): readonly ExplainedPolicy[] {
  const left = [...seen.passage.findings];
  return manifests.flatMap((manifest): ExplainedPolicy[] => {
    const { kind, name: policy, namespace, file, line } = manifest;
    const traces = seen.traces.filter(
      (each) => each.kind === kind && each.policy === policy && each.namespace === namespace,
    );
    if (traces.length === 0 && !isRuled(manifest)) return [];
    const head = { kind, policy, file, line };
    const rules = withoutRepeats(
      traces.flatMap((trace) => explainTrace(manifest, trace, seen, left)),
    );
    const kept = traces.find((trace) => trace.kept !== undefined)?.kept;
    if (rules.length === 0 && (kept?.type === 'matchConditions' || kept?.type === 'webhook')) {
      const reason = keptText(kept);
      const matched = kept.type === 'webhook';
      const said = matched ? takeFindings(left, policy) : [];
      const expressions = conditionsOf(manifest, seen);
      const rule = { matched, reason, ...verdictOf(said[0]), steps: [], expressions };
      return [{ ...head, matched, reason, bindings: [], rules: [rule] }];
    }
    // Policies in JSON mode match any object.
    const said = traces.length === 0 ? takeFindings(left, policy) : [];
    if (said.length > 0) {
      const reason = 'it matches any JSON object';
      const rule = { matched: true, reason, ...verdictOf(said[0]), steps: [] };
      return [{ ...head, matched: true, reason, bindings: [], rules: [rule] }];
    }
    const matched = rules.some((rule) => rule.matched);
    const reason = reasonOf(manifest, rules, kept, seen);
    const asked = traces.length === 0 && isLeftOut(manifest, seen) ? { asked: false as const } : {};
    return [{ ...head, ...asked, matched, reason, bindings: [], rules }];
  });
}

/** Drops what was said before: rules about images are evaluated for mutation and for validation. */
function withoutRepeats(rules: readonly ExplainedRule[]): readonly ExplainedRule[] {
  const silent = new Set<string>();
  return rules.filter(({ rule, matched, reason, verdict, steps }) => {
    if (verdict !== undefined || steps.length > 0) return true;
    const said = JSON.stringify([rule, matched, reason]);
    const isNew = !silent.has(said);
    silent.add(said);
    return isNew;
  });
}

/** Whether something is a policy that rules on requests, evaluated here or not. */
function isRuled({ kind, group }: Manifest): boolean {
  const role = kyvernoRole({ kind, group });
  return role !== 'exception' && role !== 'data';
}

function reasonOf(
  manifest: Manifest,
  rules: readonly ExplainedRule[],
  kept: PolicyTrace['kept'],
  seen: SeenKyverno,
): string {
  const matching = rules.filter(({ matched }) => matched);
  const told =
    matching.length > 0 ? matching : rules.filter((each) => each.generatedFrom === undefined);
  if (told.length > 0) {
    return told
      .map(({ rule, reason }) => (rule === undefined ? reason : `rule ${rule}: ${reason}`))
      .join('; ');
  }
  return kept === undefined ? untracedReason(manifest, seen) : keptText(kept);
}

/** Returns the match conditions of a policy, which are evaluated for mutation and for validation. */
function conditionsOf(manifest: Manifest, seen: SeenKyverno): readonly ExplainedExpression[] {
  const own = classicOf(manifest, seen);
  if (own === undefined) return [];
  const all = seen.expressionsOf(manifest, own.policy.spec);
  const byPath = new Map(all.map((each) => [each.path, each]));
  return [...byPath.values()].filter(({ path }) => path.startsWith('spec.webhookConfiguration.'));
}

/** Whether a policy is never evaluated: Kyverno would reject it, or it is not supported. */
function isLeftOut(manifest: Manifest, seen: SeenKyverno): boolean {
  const own = classicOf(manifest, seen);
  if (own !== undefined) {
    const rules = memberList(own.policy.spec, 'rules');
    return rules.length > 0 && own.unsupportedRules.size >= rules.length;
  }
  const { cel, cleanup } = seen.policies;
  return [...cel, ...cleanup].every(({ object }) => object !== manifest.object);
}

/** Returns the reason why no rule of a policy was evaluated. */
function untracedReason(manifest: Manifest, seen: SeenKyverno): string {
  const { object } = manifest;
  const { policies, facts } = seen;
  const { cel, cleanup, unsupported } = policies;
  const reason = unsupported.find((each) => each.object === object)?.reason;
  if (reason !== undefined) return reason;
  const own = classicOf(manifest, seen);
  if (own !== undefined) {
    const reasons = [...own.unsupportedRules].map(([rule, why]) => `rule ${rule}: ${why}`);
    const asked = `none of its rules applies to ${facts.asked.operation} requests`;
    return reasons.length > 0 ? reasons.join('; ') : asked;
  }
  if (cleanup.some((each) => each.object === object))
    return 'its `match` does not select the object';
  return cel.some((each) => each.object === object)
    ? `it does not apply to ${facts.asked.operation} requests`
    : 'Kyverno would reject it';
}

function explainTrace(
  manifest: Manifest,
  trace: PolicyTrace,
  seen: SeenKyverno,
  left: Finding[],
): readonly ExplainedRule[] {
  if (trace.specs.length > 0) return [explainSpecs(manifest, trace.specs, seen, left)];
  return trace.rules.map((rule) => explainRule(manifest, rule, seen, left));
}

function explainRule(
  manifest: Manifest,
  trace: RuleTrace,
  seen: SeenKyverno,
  left: Finding[],
): ExplainedRule {
  const { rule, source, origin, match, steps, results } = trace;
  const written = origin?.written ?? source;
  // As they were compiled.
  const rules = memberList(classicOf(manifest, seen)?.policy.spec, 'rules');
  const path = `spec.rules[${rules.indexOf(written)}]`;
  const { facts, lineOf } = seen;
  const namespace = { name: facts.namespaceName, isGiven: facts.namespace !== undefined };
  const lineIn = (field: string): number | undefined => seen.lineIn(manifest, field);
  const said = results.flatMap(() => takeFinding(left, manifest.name, rule) ?? []);
  const filters = (block: 'match' | 'exclude'): ExplainedFilters | undefined =>
    match[block] && explainFilters(match[block], block, { path, namespace, lineIn });
  return defined({
    rule,
    generatedFrom: origin && memberText(written, 'name'),
    path,
    line: lineIn(path),
    matched: match.concerns,
    reason: matchSentence(match, namespace),
    ...verdictOf(said.at(-1)),
    match: filters('match'),
    exclude: filters('exclude'),
    steps: explainSteps(steps, { path, source }, { lineIn, lineOf, namespace }),
  });
}

function explainFilters(
  { form, matches, filters }: NonNullable<RuleTrace['match']['match']>,
  block: 'match' | 'exclude',
  { path: rule, namespace, lineIn }: FilterPlaces,
): ExplainedFilters {
  return {
    matches,
    filters: filters.map((filter, index) => {
      const path = filterPath(form, block, index);
      const line = lineIn(`${rule}.${path}`);
      const reasons = filterReasons(filter, namespace);
      return defined({ path, line, matches: filter.matches, reasons });
    }),
  };
}

interface FilterPlaces {
  readonly path: string;
  readonly namespace: AskedNamespace;
  readonly lineIn: (field: string) => number | undefined;
}

/** A policy in CEL: the spec that is written, and those that Kyverno generates for pod controllers. */
function explainSpecs(
  manifest: Manifest,
  specs: readonly SpecTrace[],
  seen: SeenKyverno,
  left: Finding[],
): ExplainedRule {
  const fitting = specs.filter(({ match }) => match?.outcome !== 'noMatch' && match !== undefined);
  const [told = specs[0]] = fitting;
  const said = fitting.length === 0 ? [] : takeFindings(left, manifest.name);
  const changes = specs.flatMap(({ change }) => (change === undefined ? [] : [change]));
  const isGenerated = told !== undefined && told !== specs[0];
  const reason = told === undefined ? '' : specReason(told, seen.facts);
  return {
    matched: fitting.length > 0,
    reason: isGenerated
      ? `in the policy that Kyverno generates for pod controllers, ${reason}`
      : reason,
    ...verdictOf(said[0]),
    steps: changes.map(({ before, after }) =>
      defined({
        kind: 'patch',
        path: 'spec.mutations',
        line: seen.lineIn(manifest, 'spec.mutations'),
        outcome: 'pass',
        changes: operationsOf({ policy: manifest.name, before, after }),
      }),
    ),
    expressions: fitting.flatMap(({ source }) => seen.expressionsOf(manifest, source)),
  };
}

function specReason({ source, elsewhere, match }: SpecTrace, facts: AskedFacts): string {
  if (elsewhere !== undefined) {
    return `it applies to another namespace; the object is in ${elsewhere || 'no namespace'}`;
  }
  if (match === undefined) return 'it has no matchConstraints, so it matches nothing';
  if (match.outcome === 'error') return match.message;
  const constraints = (member(source, 'matchConstraints') ?? {}) as MatchResources;
  return exactReason(match.reason, constraints, 'spec.matchConstraints', facts);
}

function verdictOf(finding: Finding | undefined): Pick<ExplainedRule, 'verdict' | 'message'> {
  return defined({ verdict: finding?.verdict, message: finding?.message });
}

function takeFinding(left: Finding[], policy: string, rule: string): Finding | undefined {
  const index = left.findIndex(
    (each) => each.policy === policy && each.rule === rule && each.binding === undefined,
  );
  return index < 0 ? undefined : left.splice(index, 1)[0];
}

function takeFindings(left: Finding[], policy: string): readonly Finding[] {
  const isOwn = (each: Finding): boolean =>
    each.policy === policy && each.rule === undefined && each.binding === undefined;
  const own = left.filter(isOwn);
  for (const finding of own) left.splice(left.indexOf(finding), 1);
  return own;
}

function classicOf({ object }: Manifest, { policies }: SeenKyverno) {
  return policies.classic.find((each) => each.object === object);
}
