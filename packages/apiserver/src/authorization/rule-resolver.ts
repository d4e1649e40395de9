import {
  type ChangingPermissions,
  isSubject,
  type PolicyRule,
  type RoleReference,
} from '@kubeadmit/admission/roles';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { authorizerUser } from './authorizer-user.ts';

/** The rules of a user, and the roles that were not found. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly problems: readonly string[];
}

/** The rules of a role, or the reason why there are none: it does not exist, or its kind is not a role. */
export type ReferencedRules =
  | { readonly rules: readonly PolicyRule[] }
  | { readonly problem: string; readonly isMissing: boolean };

const group = 'rbac.authorization.k8s.io';

/**
 * The rules of a role in the namespace of its binding, none for those of the cluster (rbac validation
 * `GetRoleReferenceRules`).
 *
 * @param named how texts name a role that is not there
 */
export function rulesOfReference(
  permissions: ChangingPermissions,
  { kind, name }: RoleReference,
  namespace: string,
  named: string = kind.toLowerCase(),
): ReferencedRules {
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    return { problem: `unsupported role reference kind: ${quote(kind)}`, isMissing: false };
  }
  const rules = permissions.rulesOfRole(kind, namespace, name);
  if (rules !== undefined) return { rules };
  const problem = `${named}.${group} ${quote(name)} not found`;
  return { problem, isMissing: true };
}

/** The rules that count for a user in a namespace, those of the whole cluster first (rbac validation `RulesFor`). */
export function rulesFor(
  permissions: ChangingPermissions,
  user: UserInfo,
  namespace: string,
  named?: string,
): ResolvedRules {
  const rules: PolicyRule[] = [];
  const problems: string[] = [];
  const asked = authorizerUser(user);
  for (const { namespace: own, role, subjects } of permissions.bindingsFor(namespace)) {
    if (!subjects.some((subject) => isSubject(asked, subject, own))) continue;
    const found = rulesOfReference(permissions, role, own, named);
    if ('rules' in found) rules.push(...found.rules);
    else problems.push(found.problem);
  }
  return { rules, problems };
}
