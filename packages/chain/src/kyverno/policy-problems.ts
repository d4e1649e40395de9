import { type KubernetesObject, kindOfObject, member } from '@kubeadmit/apimachinery';
import { mayExpire } from '@kubeadmit/kyverno/unstable-internal';
import {
  findSchemaProblems,
  validateException,
  validateGlobalContext,
} from '@kubeadmit/kyverno/validation';
import { policyJson } from '../readers/json.ts';
import type { KyvernoExceptions, KyvernoPolicies } from '../readers/policies.ts';
import { idleExceptions, keyOf } from './idle-exceptions.ts';
import { hasOwnTargets, hasTargets } from './mutators.ts';

/** Something that keeps an object of Kyverno, or a part of it, from acting. */
export interface KyvernoProblem {
  readonly object: KubernetesObject;
  readonly message: string;
  /** The kind of problem: a server or Kyverno would reject the object, or it is not evaluated here. */
  readonly kind: 'refused' | 'unsupported';
  /** Whether the rest of the policy is evaluated all the same. */
  readonly acts: boolean;
}

/** A valid but probably unintended part of a Kyverno object. */
export interface KyvernoNote {
  readonly object: KubernetesObject;
  readonly message: string;
}

/** Whether a server has taken an object already, as its definition wants it. */
export type IsStored = (object: KubernetesObject) => boolean;

/** Returns the reasons why policies, rules or exceptions have no effect. */
export function findKyvernoProblems(
  objects: readonly KubernetesObject[],
  { classic, cel, cleanup, unsupported }: KyvernoPolicies,
  isStored: IsStored,
): readonly KyvernoProblem[] {
  return [
    ...objects
      .filter((object) => object['kind'] === 'PolicyException')
      .flatMap((object) => refusals(object, isStored, () => validateException(policyJson(object)))),
    ...objects
      .filter((object) => object['kind'] === 'GlobalContextEntry')
      .flatMap((object) =>
        refusals(object, isStored, () => validateGlobalContext(policyJson(object))),
      ),
    ...classic.flatMap(({ object, verdict, unsupportedRules }) => [
      ...refusals(object, isStored, () => verdict().problems),
      ...Array.from(unsupportedRules, ([rule, reason]) => ({
        object,
        message: `the rule ${rule} is not evaluated: ${reason}`,
        kind: 'unsupported' as const,
        acts: true,
      })),
    ]),
    ...cel.flatMap(({ object, policy }) =>
      refusals(object, isStored, () => [...policy.problems, ...policy.refusals]),
    ),
    ...cleanup.flatMap(({ object, problems }) => refusals(object, isStored, problems)),
    ...unsupported.flatMap(({ object, policy, reason }) => {
      const refused = refusals(object, isStored, () => [...policy.problems, ...policy.refusals]);
      if (refused.length > 0) return refused;
      const message = `it is not evaluated: ${reason}`;
      return [{ object, message, kind: 'unsupported' as const, acts: false }];
    }),
  ];
}

/** Returns the policies and rules that act in the background of a cluster, where a webhook alone evaluates nothing. */
export function findBackgroundProblems({
  classic,
  cel,
  cleanup,
}: KyvernoPolicies): readonly KyvernoProblem[] {
  const kind = 'unsupported' as const;
  const rules = classic.flatMap(({ object, policy }) =>
    policy.mutationRules().flatMap(({ name, generation, mutation }) => {
      const mutatesTargets = mutation?.targets !== undefined;
      if (generation === undefined && !mutatesTargets) return [];
      const what = mutatesTargets ? 'mutate.targets' : 'generate';
      const message = `the rule ${name} is not evaluated: rules with ${what} need a background controller`;
      return [{ object, message, kind, acts: true }];
    }),
  );
  const acting = cel.filter(({ policy: { type } }) => type === 'Generation' || type === 'Deletion');
  const policies = [...acting, ...cleanup].map(({ object, policy }) => {
    const message = `it is not evaluated: a ${policy.kind} needs a background controller`;
    return { object, message, kind, acts: false };
  });
  const mutating = cel
    .filter(({ policy }) => hasTargets(policy))
    .map(({ object, policy }) => {
      const message =
        'existing objects are not mutated: `mutateExisting` needs a background controller';
      return { object, message, kind, acts: !hasOwnTargets(policy) };
    });
  return [...rules, ...policies, ...mutating];
}

// Objects that violate their definition never reach Kyverno.
function refusals(
  object: KubernetesObject,
  isStored: IsStored,
  ofKyverno: () => readonly { readonly message: string }[],
): readonly KyvernoProblem[] {
  const bySchema = isStored(object)
    ? []
    : findSchemaProblems(policyJson(object)).filter(({ kind }) => kind === 'refused');
  const found = bySchema.length > 0 ? bySchema : ofKyverno();
  return found.map(({ message }) => ({ object, message, kind: 'refused', acts: false }));
}

/** Policies, the exceptions to them, and the time in milliseconds since 1970. */
export interface NotedPolicies {
  readonly policies: KyvernoPolicies;
  readonly exceptions: KyvernoExceptions;
  readonly now: number;
}

/** Returns parts without effect: unknown fields, exceptions to missing policies, and expired exceptions. */
export function findKyvernoNotes(
  objects: readonly KubernetesObject[],
  { policies, exceptions, now }: NotedPolicies,
  isStored: IsStored,
): readonly KyvernoNote[] {
  const unknown = objects
    .filter((object) => !isStored(object))
    .flatMap((object) =>
      findSchemaProblems(policyJson(object))
        .filter(({ kind }) => kind === 'unknown')
        .map(({ message }) => ({ object, message })),
    );
  const others = [
    ...idleExceptions(objects, policies, exceptions),
    ...expiredExceptions(objects, exceptions, now),
  ];
  return [...unknown, ...others];
}

function expiredExceptions(
  objects: readonly KubernetesObject[],
  { cel }: KyvernoExceptions,
  now: number,
): readonly KyvernoNote[] {
  const expired = new Set(
    cel
      .filter((exception) => now > (exception.expiresAt ?? now) && mayExpire(exception))
      .map(({ key }) => key),
  );
  return objects
    .filter((object) => isCelException(object) && expired.has(keyOf(object)))
    .map((object) => ({
      object,
      message: `the exception expired at ${String(member(member(object, 'spec'), 'expiresAt'))} and no longer applies`,
    }));
}

function isCelException(object: KubernetesObject): boolean {
  const named = kindOfObject(object);
  return named?.kind === 'PolicyException' && named.group === 'policies.kyverno.io';
}
