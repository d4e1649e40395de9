import {
  formatGroupName,
  type KubernetesObject,
  member,
  metadataString,
  textOf,
} from '@kubeadmit/apimachinery';
import { isPolicyKind, policyGroup } from '@kubeadmit/engine';
import { deepEqual } from '@kubeadmit/go';
import { NestingError, withinStack } from '@kubeadmit/go/unstable-internal';
import { kindOf } from './convert-object.ts';

/** A note about a resource that a server accepts but that probably has an unintended effect. */
export interface ResourceNote {
  /** `Kind/name`. */
  readonly resource: string;
  /** The part that has no effect, and the reason. */
  readonly message: string;
}

/**
 * Notes resources, or parts of them, that have no effect.
 *
 * These are bindings without their policy, policies without a binding, misspelt kinds or groups of policies,
 * Kyverno policies, lists passed in place of their items, and duplicate names.
 *
 * A rejected policy or binding counts as present, because its problem is already reported as an error.
 */
export function clusterNotes(
  resources: readonly KubernetesObject[],
  accepted: readonly KubernetesObject[],
): readonly ResourceNote[] {
  const notes: ResourceNote[] = [];
  const given = new Set<string>();
  const bound = new Set<string>();
  const first = new Map<string, KubernetesObject>();
  for (const resource of resources) {
    const { group, kind } = kindOf(resource);
    const name = metadataString(resource, 'name');
    const key = `${kind}/${name}`;
    const idle = idleMessage(group, kind, resource);
    if (idle !== undefined) notes.push({ resource: key, message: idle });
    if (group !== policyGroup || !isPolicyKind(kind)) continue;
    const same = first.get(key);
    if (same === undefined) first.set(key, resource);
    else if (!isEqual(same, resource)) notes.push({ resource: key, message: twiceMessage });
    if (kind.endsWith('Binding')) bound.add(policyOf(kind, resource));
    else given.add(key);
  }
  for (const [kind] of policyKinds.values()) {
    for (const object of accepted.filter((each) => each['kind'] === kind)) {
      const resource = `${kind}/${metadataString(object, 'name')}`;
      const policy = kind.endsWith('Binding') ? policyOf(kind, object) : undefined;
      if (policy === undefined && !bound.has(resource)) {
        notes.push({ resource, message: 'it has no binding and never runs' });
      } else if (policy !== undefined && !given.has(policy)) {
        const [policyKind, name] = policy.split('/');
        const message = `it refers to ${policyKind} \`${name}\`, which is not among the resources`;
        notes.push({ resource, message });
      }
    }
  }
  return notes;
}

const listMessage = 'a list is not an object of a cluster and has no effect; pass its items';
const twiceMessage =
  'it is given more than once with different content; a cluster has one object of each name';
const kyvernoMessage =
  'Kyverno policies have no effect here; `prepareChain` of `@kubeadmit/check` evaluates them';

/** The groups of kinds that are meant where only their case or group is another. */
const policyKinds: ReadonlyMap<string, readonly [kind: string, group: string]> = new Map(
  [
    ['ValidatingAdmissionPolicy', policyGroup],
    ['ValidatingAdmissionPolicyBinding', policyGroup],
    ['MutatingAdmissionPolicy', policyGroup],
    ['MutatingAdmissionPolicyBinding', policyGroup],
    ['ClusterPolicy', 'kyverno.io'],
  ].map(([kind = '', group = '']) => [kind.toLowerCase(), [kind, group]]),
);

/** Why a resource has no effect whatever it says; `undefined` where it has one, or is not meant to. */
function idleMessage(group: string, kind: string, resource: object): string | undefined {
  if (kind.endsWith('List') && Array.isArray(member(resource, 'items'))) return listMessage;
  const [meantKind = kind, meantGroup = group] = policyKinds.get(kind.toLowerCase()) ?? [];
  if (meantKind !== kind || meantGroup !== group) {
    const found = formatGroupName({ group, name: kind });
    return `it has no effect: unknown kind \`${found}\`; did you mean \`${formatGroupName({ group: meantGroup, name: meantKind })}\`?`;
  }
  return /(?:^|\.)kyverno\.io$/.test(group) && kind.endsWith('Policy') ? kyvernoMessage : undefined;
}

/** The policy of a binding: `Kind/name`. */
function policyOf(bindingKind: string, binding: object): string {
  const name = member(member(binding, 'spec'), 'policyName');
  return `${bindingKind.slice(0, -'Binding'.length)}/${textOf(name)}`;
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    return withinStack(() => deepEqual(one, other));
  } catch (failure) {
    if (failure instanceof NestingError) return false;
    throw failure;
  }
}
