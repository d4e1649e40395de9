import {
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
  subjectsOf,
} from '@kubeadmit/admission/internal';
import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { authorizerUser } from './authorizer-user.ts';

/** Rules, and what was not found on the way to them. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly problems: readonly string[];
}

/** The rules of a role, or why there are none: it is not there, or its kind is no role. */
export type ReferencedRules =
  | { readonly rules: readonly PolicyRule[] }
  | { readonly problem: string; readonly isMissing: boolean };

/** How texts name roles that are not there; default the kind in lower case. */
export interface RoleNames {
  readonly named?: string;
}

const group = 'rbac.authorization.k8s.io';

/** The rules of a role in the namespace of its binding, none for those of the cluster (rbac validation `GetRoleReferenceRules`). */
export function rulesOfReference(
  permissions: readonly KubernetesObject[],
  { kind, name }: RoleReference,
  namespace: string,
  { named = kind.toLowerCase() }: RoleNames = {},
): ReferencedRules {
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    return { problem: `unsupported role reference kind: ${quote(kind)}`, isMissing: false };
  }
  const own = kind === 'Role' ? namespace : '';
  const role = permissions.find(
    (object) =>
      member(object, 'kind') === kind &&
      metadataString(object, 'name') === name &&
      metadataString(object, 'namespace') === own,
  );
  if (role !== undefined) return { rules: rulesOfRole(role) };
  const problem = `${named}.${group} ${quote(name)} not found`;
  return { problem, isMissing: true };
}

/** The rules that count for a user in a namespace, those of the whole cluster first (rbac validation `RulesFor`). */
export function rulesFor(
  permissions: readonly KubernetesObject[],
  user: UserInfo,
  namespace: string,
  names: RoleNames = {},
): ResolvedRules {
  const rules: PolicyRule[] = [];
  const problems: string[] = [];
  const wide = permissions.filter((object) => member(object, 'kind') === 'ClusterRoleBinding');
  const local = permissions.filter(
    (object) =>
      member(object, 'kind') === 'RoleBinding' &&
      namespace !== '' &&
      metadataString(object, 'namespace') === namespace,
  );
  for (const binding of [...wide, ...local]) {
    if (!isBound(binding, user)) continue;
    const own = metadataString(binding, 'namespace');
    const found = rulesOfReference(permissions, roleReferenceOf(binding), own, names);
    if ('rules' in found) rules.push(...found.rules);
    else problems.push(found.problem);
  }
  return { rules, problems };
}

function isBound(binding: KubernetesObject, user: UserInfo): boolean {
  const namespace = metadataString(binding, 'namespace');
  const asked = authorizerUser(user);
  return subjectsOf(binding).some((subject) => isSubject(asked, subject, namespace));
}
