import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import type { Machinery } from '../machinery/machinery.ts';
import { rulesFor } from './rule-resolver.ts';

/** Returns the permissions of a user in a namespace (SubjectRulesReviewStatus), from the roles bound there. */
export function rulesOf(
  { cluster }: Machinery,
  user: UserInfo,
  namespace: string,
): KubernetesObject {
  const { rules, problems } = rulesFor(cluster.permissions, user, namespace);
  const resourceRules: KubernetesObject[] = [];
  const nonResourceRules: KubernetesObject[] = [];
  if (user.groups?.includes('system:masters')) {
    resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] });
  }
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
    if (resources.length > 0) {
      const named = resourceNames.length === 0 ? {} : { resourceNames };
      resourceRules.push({ verbs, apiGroups, resources, ...named });
    } else nonResourceRules.push({ verbs, nonResourceURLs });
  }
  const problem = problems.length === 0 ? {} : { evaluationError: problems.join(', ') };
  return { resourceRules, nonResourceRules, incomplete: false, ...problem };
}
