import {
  compileLabelSelector,
  type KubernetesObject,
  type LabelSelector,
  member,
  memberList,
  memberText,
  memberTexts,
  type Selector,
} from '@kubeadmit/apimachinery';
import type { AuthorizerUser } from '@kubeadmit/engine';

/** One rule of a role (`rbac.authorization.k8s.io/v1` PolicyRule); absent lists are empty. */
export interface PolicyRule {
  /** The verbs that it grants; `*` for all. */
  readonly verbs: readonly string[];
  /** The groups of the resources; `*` for all. */
  readonly apiGroups: readonly string[];
  /** The resources and subresources, such as `pods/log`; `*` for all. */
  readonly resources: readonly string[];
  /** The names of the objects; empty for all. */
  readonly resourceNames: readonly string[];
  /** Paths other than resources, such as `/healthz`. */
  readonly nonResourceURLs: readonly string[];
}

/** The role that a binding refers to (`roleRef`). */
export interface RoleReference {
  /** The group of the role. */
  readonly apiGroup: string;
  /** `Role` or `ClusterRole`. */
  readonly kind: string;
  /** The name of the role. */
  readonly name: string;
}

/** Whom a binding means (`rbac.authorization.k8s.io/v1` Subject). */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The rules that a role holds. */
export function rulesOfRole(role: KubernetesObject): readonly PolicyRule[] {
  return memberList(role, 'rules').map((rule) => ({
    verbs: memberTexts(rule, 'verbs'),
    apiGroups: memberTexts(rule, 'apiGroups'),
    resources: memberTexts(rule, 'resources'),
    resourceNames: memberTexts(rule, 'resourceNames'),
    nonResourceURLs: memberTexts(rule, 'nonResourceURLs'),
  }));
}

/** The selectors of the ClusterRoles whose rules a ClusterRole takes (`aggregationRule`); undefined without a rule. */
export function aggregationOf(role: KubernetesObject): readonly Selector[] | undefined {
  const selectors = member(member(role, 'aggregationRule'), 'clusterRoleSelectors');
  return Array.isArray(selectors)
    ? selectors.map((selector: LabelSelector) => compileLabelSelector(selector))
    : undefined;
}

/** Reads the `roleRef` of a binding. */
export function roleReferenceOf(binding: KubernetesObject): RoleReference {
  const reference = member(binding, 'roleRef');
  return {
    apiGroup: memberText(reference, 'apiGroup'),
    kind: memberText(reference, 'kind'),
    name: memberText(reference, 'name'),
  };
}

/** Reads the `subjects` of a binding. */
export function subjectsOf(binding: KubernetesObject): readonly Subject[] {
  return memberList(binding, 'subjects').map((subject) => ({
    kind: memberText(subject, 'kind'),
    name: memberText(subject, 'name'),
    namespace: memberText(subject, 'namespace'),
  }));
}

/**
 * Whether a subject means a user (rbac validation `appliesToUser`); service accounts without a namespace are of that of
 * their binding, empty for bindings of the cluster.
 */
export function isSubject(
  { username = '', groups }: AuthorizerUser,
  { kind, name, namespace }: Subject,
  bindingNamespace: string,
): boolean {
  if (kind === 'User') return username === name;
  if (kind === 'Group') return groups?.includes(name) === true;
  const own = namespace || bindingNamespace;
  return (
    kind === 'ServiceAccount' && own !== '' && username === `system:serviceaccount:${own}:${name}`
  );
}
