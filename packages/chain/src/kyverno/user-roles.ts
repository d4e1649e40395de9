import {
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  listOf,
  member,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { GivenUser } from '@kubeadmit/kyverno';

type Roles = Pick<GivenUser, 'clusterRoles' | 'roles'>;

interface Bound {
  /** As Kyverno names it: `NAMESPACE:NAME` of a Role, and the name of a ClusterRole. */
  readonly role: string;
  readonly isClusterRole: boolean;
}

/** The roles that bindings of a cluster give to users and groups (Kyverno's `GetRoleRef`). */
export class UserRoles {
  readonly #users: Map<string, Bound[]> = new Map();
  readonly #groups: Map<string, Bound[]> = new Map();

  constructor(objects: readonly KubernetesObject[]) {
    for (const object of objects) {
      const kind = kindOfObject(object);
      if (kind?.group !== 'rbac.authorization.k8s.io') continue;
      if (kind.kind === 'RoleBinding' || kind.kind === 'ClusterRoleBinding') this.#add(object);
    }
  }

  /** The roles of the user of a request; nothing where no binding is known. */
  of(userInfo: JsonObject): Roles {
    if (this.#users.size === 0 && this.#groups.size === 0) return {};
    const groups = member(userInfo, 'groups');
    const bound = [
      ...(this.#users.get(memberText(userInfo, 'username')) ?? []),
      ...listOf(groups).flatMap((group) => this.#groups.get(String(group)) ?? []),
    ];
    const named = (isClusterRole: boolean): readonly string[] => [
      ...new Set(
        bound.filter((one) => one.isClusterRole === isClusterRole).map(({ role }) => role),
      ),
    ];
    return { roles: named(false), clusterRoles: named(true) };
  }

  #add(binding: KubernetesObject): void {
    const reference = member(binding, 'roleRef');
    const name = memberText(reference, 'name');
    const isClusterRole = memberText(reference, 'kind') === 'ClusterRole';
    const role = isClusterRole ? name : `${metadataString(binding, 'namespace')}:${name}`;
    const subjects = member(binding, 'subjects');
    for (const subject of listOf(subjects)) {
      const isGroup = memberText(subject, 'kind') === 'Group';
      const known = isGroup ? this.#groups : this.#users;
      getOrMake(known, subjectName(subject), () => []).push({ role, isClusterRole });
    }
  }
}

function subjectName(subject: unknown): string {
  const name = memberText(subject, 'name');
  return memberText(subject, 'kind') === 'ServiceAccount'
    ? `system:serviceaccount:${memberText(subject, 'namespace')}:${name}`
    : name;
}
