import type { JsonObject } from '@kubeadmit/apimachinery';
import { computeRules } from '../autogen/autogen.ts';
import { metadataOf } from '../match/subject.ts';
import { field, objectField, objectsField, stringField } from './fields.ts';
import { compileRule, type Rule } from './rule.ts';

/** A ClusterPolicy or Policy ready to be evaluated. */
export interface Policy {
  readonly name: string;
  readonly namespace: string;
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly isNamespaced: boolean;
  readonly spec: JsonObject;
  readonly appliesOneRule: boolean;
  /** `webhookConfiguration.matchConditions`, where there are any. */
  readonly matchConditions: readonly JsonObject[] | undefined;
  readonly hasMutate: boolean;
  readonly hasValidate: boolean;
  /** The rules to be evaluated in validation of a kind, generated ones included. */
  readonly rulesForKind: (kind: string) => readonly Rule[];
  /** The rules to be evaluated in mutation, generated ones included. */
  readonly mutationRules: () => readonly Rule[];
}

/** Reads a policy; rules are compiled when they are first needed. */
export function compilePolicy(source: JsonObject): Policy {
  const spec = objectField(source, 'spec') ?? {};
  const metadata = metadataOf(source);
  const name = stringField(metadata, 'name');
  const namespace = stringField(metadata, 'namespace');
  const rules = objectsField(spec, 'rules').map(compileRule);
  const compiled = new Map(rules.map((rule) => [rule.source, rule]));
  const byKind = new Map<string, readonly Rule[]>();
  const rulesForKind = (kind: string): readonly Rule[] => {
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
    hasMutate: rules.some((rule) => rule.mutate !== undefined),
    hasValidate: rules.some((rule) => rule.validate !== undefined),
    rulesForKind,
    mutationRules: () => rulesForKind(''),
  };
}

function matchConditionsOf(spec: JsonObject): readonly JsonObject[] | undefined {
  const configuration = objectField(spec, 'webhookConfiguration');
  if (configuration === undefined || field(configuration, 'matchConditions') === undefined) {
    return undefined;
  }
  return objectsField(configuration, 'matchConditions');
}
