import {
  type JsonObject,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { existingRules, namesTargets } from '@kubeadmit/kyverno/background';
import { parseKindSelector } from '@kubeadmit/kyverno/patterns';
import { computeRules } from '@kubeadmit/kyverno/unstable-internal';
import type { ClassicPolicy, KyvernoPolicies } from '../readers/policies.ts';
import { kindsOf, type ServedKind } from '../requests/served-kind.ts';
import { type Generator, isRuleAbout, nameOf, operationsOf, selectsAny } from './generators.ts';

/** When a rule mutates existing objects. */
export interface MutatorRule {
  /** Whether a change of the policy mutates the objects of all triggers. */
  readonly actsOnPolicyUpdate: boolean;
  /** Whether the deletion of a trigger mutates objects. */
  readonly actsOnDelete: boolean;
  /** Whether changes by background work do not trigger the rule. */
  readonly skipsBackgroundChanges: boolean;
}

/** A policy that mutates existing objects in the background of a cluster. */
export interface Mutator extends Pick<Generator, 'policy' | 'key' | 'name' | 'namespace'> {
  /** The rules by name; a MutatingPolicy has one, with an empty name. */
  readonly rules: ReadonlyMap<string, MutatorRule>;
  /** Whether no rule acts after one that did. */
  readonly appliesOneRule: boolean;
  /** The kinds of triggers that are subresources, whose requests leave no trace in the cluster. */
  readonly invisibleTriggers: readonly string[];
  /** Whether a change of the policy needs no trigger, because its constraints name the objects. */
  readonly actsWithoutTrigger: boolean;
  /** Whether admission requests are triggers (`admission` of the policy). */
  readonly actsOnRequests: boolean;
  /** Whether objects of a kind may be triggers. */
  readonly mayTrigger: (kind: ServedKind) => boolean;
}

/** Returns the policies that mutate existing objects. */
export function findMutators({ classic, cel }: KyvernoPolicies): readonly Mutator[] {
  return [
    ...classic.filter(({ policy }) => existingRules(policy).length > 0).map(ofClassic),
    ...cel.filter(({ policy }) => policy.problems.length === 0 && hasTargets(policy)).map(ofCel),
  ];
}

type NewerPolicy = KyvernoPolicies['cel'][number];

/** Whether a policy mutates existing objects. */
export function hasTargets({ specs }: NewerPolicy['policy']): boolean {
  return specs.some(({ targets }) => targets !== undefined);
}

/** Whether a MutatingPolicy changes other objects than those of its requests, so that admission leaves these alone. */
export function hasOwnTargets({ specs: [spec] }: NewerPolicy['policy']): boolean {
  const own = member(spec?.source, 'targetMatchConstraints');
  return memberList(own, 'resourceRules').length > 0 || memberText(own, 'expression') !== '';
}

function ofClassic(classic: ClassicPolicy): Mutator {
  const { object, policy } = classic;
  const isOnUpdate = member(policy.spec, 'mutateExistingOnPolicyUpdate') === true;
  const rules = existingRules(policy).map(({ name, source }) => {
    const own = member(member(source, 'mutate'), 'mutateExistingOnPolicyUpdate');
    const rule: MutatorRule = {
      actsOnPolicyUpdate: typeof own === 'boolean' ? own : isOnUpdate,
      actsOnDelete: operationsOf(member(source, 'match')).includes('DELETE'),
      skipsBackgroundChanges: member(source, 'skipBackgroundRequests') !== false,
    };
    return [name, rule] as const;
  });
  const texts = computeRules(object as JsonObject, '')
    .filter((rule) => member(member(rule, 'mutate'), 'targets') !== undefined)
    .flatMap((rule) => kindsOf(member(rule, 'match')));
  const isInvisible = (text: string): boolean => parseKindSelector(text).subresource !== '';
  const kinds = texts.filter((text) => !isInvisible(text)).map(parseKindSelector);
  return {
    policy: classic,
    ...nameOf(object),
    rules: new Map(rules),
    appliesOneRule: policy.appliesOneRule,
    invisibleTriggers: texts.filter(isInvisible),
    actsWithoutTrigger: false,
    actsOnRequests: member(policy.spec, 'admission') !== false,
    mayTrigger: selectsAny(kinds),
  };
}

function ofCel(cel: NewerPolicy): Mutator {
  const { object, policy } = cel;
  const spec = member(object, 'spec');
  const sources: readonly unknown[] = policy.specs.map(({ source }) => source);
  const resourceRules = sources.flatMap((source) =>
    memberList(member(source, 'matchConstraints'), 'resourceRules'),
  );
  const rule: MutatorRule = {
    actsOnPolicyUpdate: true,
    actsOnDelete: resourceRules.some((each) => namesOperation(each, 'DELETE')),
    skipsBackgroundChanges: member(member(spec, 'evaluation'), 'skipBackgroundRequests') !== false,
  };
  return {
    policy: cel,
    ...nameOf(object),
    rules: new Map([['', rule]]),
    appliesOneRule: false,
    invisibleTriggers: resourceRules
      .flatMap((each) => memberList(each, 'resources').map(String))
      .filter((resource) => /^[^*]+\/./.test(resource)),
    actsWithoutTrigger: !namesTargets(policy),
    actsOnRequests: isAdmitting(object),
    mayTrigger: (kind) => resourceRules.some((each) => isRuleAbout(each, kind)),
  };
}

function namesOperation(rule: unknown, operation: string): boolean {
  return memberList(rule, 'operations').some((each) => each === operation || each === '*');
}

function isAdmitting(policy: KubernetesObject): boolean {
  const evaluation = member(member(policy, 'spec'), 'evaluation');
  return member(member(evaluation, 'admission'), 'enabled') !== false;
}
