import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import type { Machinery } from '../machinery.ts';

/** What a user may do in a namespace (SubjectRulesReviewStatus), from the roles that are bound to him there. */
export function rulesOf(
  { cluster }: Machinery,
  user: UserInfo,
  namespace: string,
): KubernetesObject {
  const objects = cluster.permissions();
  const roles = new Map(objects.map((object) => [roleKey(object), object]));
  const resourceRules: KubernetesObject[] = [];
  const nonResourceRules: KubernetesObject[] = [];
  if (user.groups?.includes('system:masters')) {
    resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] });
  }
  for (const binding of objects) {
    const kind = member(binding, 'kind');
    const own = metadataString(binding, 'namespace');
    const isHere = kind === 'ClusterRoleBinding' || (kind === 'RoleBinding' && own === namespace);
    if (!isHere || !isBound(binding, user)) continue;
    const reference = member(binding, 'roleRef');
    const isCluster = member(reference, 'kind') === 'ClusterRole';
    const role = roles.get(`${isCluster ? '' : own}/${String(member(reference, 'name'))}`);
    const rules = member(role, 'rules');
    for (const rule of Array.isArray(rules) ? (rules as KubernetesObject[]) : []) {
      if (Array.isArray(member(rule, 'resources'))) {
        const { verbs, apiGroups, resources, resourceNames } = rule;
        resourceRules.push({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames === undefined ? {} : { resourceNames }),
        });
      } else {
        nonResourceRules.push({ verbs: rule['verbs'], nonResourceURLs: rule['nonResourceURLs'] });
      }
    }
  }
  return { resourceRules, nonResourceRules, incomplete: false };
}

function roleKey(object: KubernetesObject): string {
  const isRole = ['Role', 'ClusterRole'].includes(String(member(object, 'kind')));
  const name = `${metadataString(object, 'namespace')}/${metadataString(object, 'name')}`;
  return isRole ? name : `${String(member(object, 'kind'))} ${name}`;
}

function isBound(binding: KubernetesObject, { username = '', groups }: UserInfo): boolean {
  const subjects = member(binding, 'subjects');
  return (Array.isArray(subjects) ? subjects : []).some((subject) => {
    const kind = member(subject, 'kind');
    const name = String(member(subject, 'name'));
    if (kind === 'User') return name === username;
    if (kind === 'Group') return groups?.includes(name) === true;
    const namespace = String(member(subject, 'namespace') ?? metadataString(binding, 'namespace'));
    return username === `system:serviceaccount:${namespace}:${name}`;
  });
}
