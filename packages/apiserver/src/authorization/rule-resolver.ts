import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';

/** One rule of a role (`rbac.authorization.k8s.io/v1` PolicyRule); absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The role that a binding refers to (`roleRef`). */
export interface RoleReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

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

/** Reads a `roleRef`. */
export function roleReferenceOf(binding: KubernetesObject): RoleReference {
  const reference = member(binding, 'roleRef');
  return {
    apiGroup: text(reference, 'apiGroup'),
    kind: text(reference, 'kind'),
    name: text(reference, 'name'),
  };
}

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

/** The rules that a role holds. */
export function rulesOfRole(role: KubernetesObject): readonly PolicyRule[] {
  const rules = member(role, 'rules');
  return (Array.isArray(rules) ? rules : []).map((rule: unknown) => ({
    verbs: texts(rule, 'verbs'),
    apiGroups: texts(rule, 'apiGroups'),
    resources: texts(rule, 'resources'),
    resourceNames: texts(rule, 'resourceNames'),
    nonResourceURLs: texts(rule, 'nonResourceURLs'),
  }));
}

function isBound(binding: KubernetesObject, { username = '', groups }: UserInfo): boolean {
  const subjects = member(binding, 'subjects');
  return (Array.isArray(subjects) ? subjects : []).some((subject: unknown) => {
    const kind = text(subject, 'kind');
    const name = text(subject, 'name');
    if (kind === 'User') return name === username;
    if (kind === 'Group') return groups?.includes(name) === true;
    const namespace = text(subject, 'namespace') || metadataString(binding, 'namespace');
    return (
      kind === 'ServiceAccount' &&
      namespace !== '' &&
      username === `system:serviceaccount:${namespace}:${name}`
    );
  });
}

function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found : '';
}

function texts(value: unknown, name: string): readonly string[] {
  const found = member(value, name);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
