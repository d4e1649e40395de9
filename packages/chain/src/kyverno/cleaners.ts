import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { parseKindSelector, selectsKind } from '@kubeadmit/kyverno/patterns';
import type { KyvernoPolicies } from '../readers/policies.ts';
import { kindsOf, type ServedKind } from '../requests/served-kind.ts';
import { isRuleAbout, policyKey } from './generators.ts';

/** A policy that deletes objects on a schedule. */
export interface Cleaner {
  /** The policy as it was read. */
  readonly object: KubernetesObject;
  /** As in `ClusterCleanupPolicy/name` or `CleanupPolicy/namespace/name`. */
  readonly key: string;
  /** The namespace of a namespaced policy, which deletes objects in it alone; empty for others. */
  readonly namespace: string;
  /** A cron expression. */
  readonly schedule: string;
  /** The time of the last run in RFC 3339, or of the creation of the policy. */
  readonly lastRun: string;
  /** `Foreground`, `Background` or `Orphan`; undefined for the default of the kind. */
  readonly propagation: string | undefined;
  /** Whether objects of a kind may be deleted. */
  readonly mayDelete: (kind: ServedKind) => boolean;
}

/** Returns the policies that delete objects on a schedule. */
export function findCleaners({ cel, cleanup }: KyvernoPolicies): readonly Cleaner[] {
  return [
    ...cleanup.map(({ object, policy }) => cleanerOf(object, policy.namespace, byKinds(object))),
    ...cel
      .filter(({ policy }) => policy.type === 'Deletion')
      .map(({ object, policy }) => cleanerOf(object, policy.namespace, byRules(object))),
  ];
}

function cleanerOf(
  object: KubernetesObject,
  namespace: string,
  mayDelete: Cleaner['mayDelete'],
): Cleaner {
  const spec = member(object, 'spec');
  return {
    object,
    key: policyKey(object),
    namespace,
    schedule: memberText(spec, 'schedule'),
    lastRun:
      memberText(member(object, 'status'), 'lastExecutionTime') ||
      memberText(member(object, 'metadata'), 'creationTimestamp'),
    propagation: memberText(spec, 'deletionPropagationPolicy') || undefined,
    mayDelete,
  };
}

function byKinds(object: KubernetesObject): Cleaner['mayDelete'] {
  const kinds = kindsOf(member(member(object, 'spec'), 'match')).map(parseKindSelector);
  return (kind) => kinds.some((selector) => selectsKind(selector, kind, ''));
}

function byRules(object: KubernetesObject): Cleaner['mayDelete'] {
  const constraints = member(member(object, 'spec'), 'matchConstraints');
  const rules = memberList(constraints, 'resourceRules');
  return (kind) => rules.some((rule) => isRuleAbout(rule, kind));
}
