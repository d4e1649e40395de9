import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { PolicyObject } from '@kubeadmit/engine/internal';
import { isPolicyKind, nameOf, type PolicyKind, policyGroup } from '@kubeadmit/engine/internal';
import { kindOf } from './convert-object.ts';

/** Something about a resource that a server takes and that is hardly meant. */
export interface ResourceNote {
  /** `Kind/name`. */
  readonly resource: string;
  /** What has no effect, and why. */
  readonly message: string;
}

/**
 * Notes what has no effect: bindings without their policy, policies without binding, and lists that are given for
 * what they hold.
 *
 * A policy or binding that is refused counts as given: what is wrong with it is told as an error already.
 */
export function clusterNotes(
  resources: readonly KubernetesObject[],
  accepted: Readonly<Record<PolicyKind, readonly PolicyObject<unknown>[]>>,
): readonly ResourceNote[] {
  const notes: ResourceNote[] = [];
  const given = new Set<string>();
  const bound = new Set<string>();
  for (const resource of resources) {
    const { group, kind } = kindOf(resource);
    const name = metadataString(resource, 'name');
    if (kind.endsWith('List') && Array.isArray(member(resource, 'items'))) {
      notes.push({ resource: `${kind}/${name}`, message: listMessage });
    }
    if (group !== policyGroup || !isPolicyKind(kind)) continue;
    if (kind.endsWith('Binding')) bound.add(policyOf(kind, resource));
    else given.add(`${kind}/${name}`);
  }
  for (const [kind, objects] of Object.entries(accepted)) {
    for (const object of objects) {
      const resource = `${kind}/${nameOf(object)}`;
      const policy = kind.endsWith('Binding') ? policyOf(kind, object) : undefined;
      if (policy === undefined && !bound.has(resource)) {
        notes.push({ resource, message: 'it has no binding, so nothing happens because of it' });
      } else if (policy !== undefined && !given.has(policy)) {
        const [policyKind, name] = policy.split('/');
        const message = `it is for ${policyKind} \`${name}\`, which is not among the resources`;
        notes.push({ resource, message });
      }
    }
  }
  return notes;
}

const listMessage = 'a list is no object of a cluster and has no effect: give what it holds';

/** The policy of a binding: `Kind/name`. */
function policyOf(bindingKind: string, binding: object): string {
  const name = member(member(binding, 'spec'), 'policyName');
  return `${bindingKind.slice(0, -'Binding'.length)}/${typeof name === 'string' ? name : ''}`;
}
