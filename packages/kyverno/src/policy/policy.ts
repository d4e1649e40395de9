import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { getOrMake, lazily, requireOptions } from '@kubeadmit/base';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import { rulesWithOrigins } from '../autogen/autogen.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import type { RulePolicy } from '../rule/rule.ts';
import { type CompiledRule, compileRule } from './compiled-rule.ts';
import {
  type ConditionsObserver,
  compileMatchConditions,
  type MatchConditions,
} from './match-conditions.ts';

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
  /** Whether a rule validates, or requires verified images or digests. */
  readonly hasValidate: boolean;
  /** Whether a rule verifies images. */
  readonly hasImages: boolean;
  /** Whether a rule changes existing objects. */
  readonly hasTargets: boolean;
  /** Whether a rule generates objects. */
  readonly hasGenerate: boolean;
  /** The rules to be evaluated in validation of a kind, generated ones included. */
  readonly rulesForKind: (kind: string) => readonly CompiledRule[];
  /** The rules to be evaluated in mutation and generation, generated ones included. */
  readonly mutationRules: () => readonly CompiledRule[];
}

/** The options of compiling a ClusterPolicy or Policy. */
export interface PolicyOptions {
  /** Receives every evaluation of a CEL expression; evaluations then take longer. */
  readonly observe?: ObserveEvaluation | undefined;
}

/**
 * Reads a ClusterPolicy or Policy; rules are compiled on first use.
 *
 * @throws TypeError for any other object
 */
export function compilePolicy(source: JsonObject, options: PolicyOptions = {}): Policy {
  requireKind('compilePolicy', source, ['ClusterPolicy', 'Policy']);
  requireOptions('compilePolicy', options, { observe: 'function' });
  return compileRulesOf(source, options);
}

/** Reads a decoded object as a policy, whatever its kind. */
export function compileRulesOf(source: JsonObject, { observe }: PolicyOptions = {}): Policy {
  const spec = objectField(source, 'spec') ?? {};
  const metadata = memberObject(source, 'metadata');
  const name = stringField(metadata, 'name');
  const namespace = stringField(metadata, 'namespace');
  const written = objectsField(spec, 'rules');
  const observer = observe && { observe, spec, rules: written };
  const rules = written.map((rule) => compileRule({ source: rule }, observer));
  const compiled = new Map(rules.map((rule) => [rule.source, rule]));
  const byKind = new Map<string, readonly CompiledRule[]>();
  const rulesForKind = (kind: string): readonly CompiledRule[] => {
    return getOrMake(byKind, kind, () =>
      rulesWithOrigins(source, kind).map(
        (rule) => compiled.get(rule.source) ?? compileRule(rule, observer),
      ),
    );
  };
  return {
    name,
    namespace,
    key: namespace === '' ? name : `${namespace}/${name}`,
    isNamespaced: stringField(source, 'kind') === 'Policy',
    spec,
    appliesOneRule: stringField(spec, 'applyRules') === 'One',
    matchConditions: matchConditionsOf(spec, observer),
    hasMutate: rules.some((rule) => rule.mutation !== undefined),
    hasValidate: rules.some(
      ({ validation, images }) => validation !== undefined || images?.requires,
    ),
    hasImages: rules.some((rule) => rule.images !== undefined),
    hasTargets: rules.some((rule) => rule.mutation?.targets !== undefined),
    hasGenerate: rules.some((rule) => rule.generation !== undefined),
    rulesForKind,
    mutationRules: () => rulesForKind(''),
  };
}

function matchConditionsOf(
  spec: JsonObject,
  observer: ConditionsObserver | undefined,
): (() => MatchConditions) | undefined {
  const configuration = objectField(spec, 'webhookConfiguration');
  if (configuration === undefined || field(configuration, 'matchConditions') === undefined) {
    return undefined;
  }
  const conditions = objectsField(configuration, 'matchConditions');
  return lazily(() => compileMatchConditions(conditions, observer));
}
