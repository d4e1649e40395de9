import type { JsonObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/internal';
import { lazily } from '@kubeadmit/go/internal';
import { computeRules } from '../autogen/autogen.ts';
import { metadataOf } from '../match/subject.ts';
import { type CompiledRule, compileRule } from './compiled-rule.ts';
import { field, objectField, objectsField, stringField } from './fields.ts';
import { compileMatchConditions, type MatchConditions } from './match-conditions.ts';
import type { RulePolicy } from './rule.ts';

/** A ClusterPolicy or Policy ready to be evaluated. */
export interface Policy extends RulePolicy {
  /** Its `metadata.name`. */
  readonly name: string;
  /** Empty for a ClusterPolicy. */
  readonly namespace: string;
  /** Whether it is a Policy. */
  readonly isNamespaced: boolean;
  /** Whether it stops after the first rule that applies (`applyRules: One`). */
  readonly appliesOneRule: boolean;
  /** `webhookConfiguration.matchConditions`, where there are any. */
  readonly matchConditions: (() => MatchConditions) | undefined;
  /** Whether a rule changes objects. */
  readonly hasMutate: boolean;
  /** Whether a rule validates. */
  readonly hasValidate: boolean;
  /** The rules to be evaluated in validation of a kind, generated ones included. */
  readonly rulesForKind: (kind: string) => readonly CompiledRule[];
  /** The rules to be evaluated in mutation, generated ones included. */
  readonly mutationRules: () => readonly CompiledRule[];
}

/**
 * Reads a ClusterPolicy or Policy; rules are compiled when they are first needed.
 *
 * @throws TypeError for what is none
 */
export function compilePolicy(source: JsonObject): Policy {
  requireKind('compilePolicy', source, ['ClusterPolicy', 'Policy']);
  return compileRulesOf(source);
}

/** Reads what is decoded as a policy, whatever kind it says. */
export function compileRulesOf(source: JsonObject): Policy {
  const spec = objectField(source, 'spec') ?? {};
  const metadata = metadataOf(source);
  const name = stringField(metadata, 'name');
  const namespace = stringField(metadata, 'namespace');
  const rules = objectsField(spec, 'rules').map(compileRule);
  const compiled = new Map(rules.map((rule) => [rule.source, rule]));
  const byKind = new Map<string, readonly CompiledRule[]>();
  const rulesForKind = (kind: string): readonly CompiledRule[] => {
    const known = byKind.get(kind);
    if (known !== undefined) return known;
    const made = computeRules(source, kind).map((rule) => compiled.get(rule) ?? compileRule(rule));
    byKind.set(kind, made);
    return made;
  };
  return {
    name,
    namespace,
    key: namespace === '' ? name : `${namespace}/${name}`,
    isNamespaced: stringField(source, 'kind') === 'Policy',
    spec,
    appliesOneRule: stringField(spec, 'applyRules') === 'One',
    matchConditions: matchConditionsOf(spec),
    hasMutate: rules.some((rule) => rule.mutation !== undefined),
    hasValidate: rules.some((rule) => rule.validation !== undefined),
    rulesForKind,
    mutationRules: () => rulesForKind(''),
  };
}

function matchConditionsOf(spec: JsonObject): (() => MatchConditions) | undefined {
  const configuration = objectField(spec, 'webhookConfiguration');
  if (configuration === undefined || field(configuration, 'matchConditions') === undefined) {
    return undefined;
  }
  const conditions = objectsField(configuration, 'matchConditions');
  return lazily(() => compileMatchConditions(conditions));
}
