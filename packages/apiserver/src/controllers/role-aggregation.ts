import { aggregationOf } from '@kubeadmit/admission/roles';
import { semanticallyEqual } from '@kubeadmit/admission/writes';
import { type KubernetesObject, labelsOf, member, memberList } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import type { ApiClient } from '../http/api-client.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { nameOf } from '../objects/metadata.ts';

const manager = 'clusterrole-aggregation-controller';

/** The keys of the roles that take their rules from a role as it was or is. */
export function rolesThatAggregate(
  { cluster }: Machinery,
  states: readonly KubernetesObject[],
): readonly string[] {
  return [...cluster.aggregatingRoles]
    .filter(([, role]) =>
      aggregationOf(role)?.some((selector) =>
        states.some((state) => selector.matches(labelsOf(state))),
      ),
    )
    .map(([key]) => key);
}

/** Copies the rules of aggregated roles into a role (controller `clusterrole-aggregation`). */
export async function aggregateRole(
  { cluster }: Machinery,
  client: ApiClient,
  role: KubernetesObject,
): Promise<undefined> {
  const selectors = aggregationOf(role);
  if (selectors === undefined) return;
  const others = [...cluster.clusterRoles()]
    .filter((other) => nameOf(other) !== nameOf(role))
    .sort((a, b) => compareText(nameOf(a), nameOf(b)));
  const rules: unknown[] = [];
  for (const selector of selectors) {
    for (const other of others) {
      if (selector.matches(labelsOf(other))) addRules(rules, memberList(other, 'rules'));
    }
  }
  if (semanticallyEqual(rules, member(role, 'rules'))) return;
  const name = nameOf(role);
  await client.ask({
    method: 'PATCH',
    path: `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}?fieldManager=${manager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules,
    },
  });
}

/** Gives all roles that aggregate others their rules, those that aggregate such roles too. */
export async function aggregateAll(machinery: Machinery, client: ApiClient): Promise<void> {
  const { cluster, registry } = machinery;
  let roles = [...cluster.aggregatingRoles.values()];
  // Each round settles one level; roles that aggregate each other would never settle.
  for (let round = 0; round < roles.length; round++) {
    const before = roles;
    await Promise.all(before.map((role) => aggregateRole(machinery, client, role)));
    await cluster.caughtUp(registry.lastWrite);
    roles = [...cluster.aggregatingRoles.values()];
    if (roles.every((role, at) => role === before[at])) return;
  }
}

function addRules(rules: unknown[], more: readonly unknown[]): void {
  for (const rule of more) {
    if (!rules.some((known) => semanticallyEqual(known, rule))) rules.push(rule);
  }
}
