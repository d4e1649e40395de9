import {
  compileLabelSelector,
  type KubernetesObject,
  type LabelSelector,
  labelsOf,
  member,
} from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go/internal';
import type { Machinery } from '../machinery.ts';
import { nameOf } from '../objects/metadata.ts';
import { semanticallyEqual } from '../objects/semantic-equality.ts';
import type { ControllerClient } from './controller-client.ts';

const manager = 'clusterrole-aggregation-controller';

/** The keys of the roles that take their rules from a role as it was or is. */
export function rolesThatAggregate(
  { cluster }: Machinery,
  states: readonly KubernetesObject[],
): readonly string[] {
  return [...cluster.aggregatingRoles]
    .filter(([, role]) => {
      const selectors = member(member(role, 'aggregationRule'), 'clusterRoleSelectors');
      return (
        Array.isArray(selectors) &&
        (selectors as LabelSelector[])
          .map(compileLabelSelector)
          .some((selector) => states.some((state) => selector.matches(labelsOf(state))))
      );
    })
    .map(([key]) => key);
}

/** Gives a role the rules of those that it aggregates (controller `clusterrole-aggregation`). */
export async function aggregateRole(
  { cluster }: Machinery,
  client: ControllerClient,
  role: KubernetesObject,
): Promise<undefined> {
  const selectors = member(member(role, 'aggregationRule'), 'clusterRoleSelectors');
  if (!Array.isArray(selectors)) return;
  const others = [...cluster.clusterRoles()]
    .filter((other) => nameOf(other) !== nameOf(role))
    .sort((a, b) => compareText(nameOf(a), nameOf(b)));
  const rules: unknown[] = [];
  for (const selector of selectors as LabelSelector[]) {
    const compiled = compileLabelSelector(selector);
    for (const other of others) {
      if (compiled.matches(labelsOf(other))) addRules(rules, member(other, 'rules'));
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
export async function aggregateAll(machinery: Machinery, client: ControllerClient): Promise<void> {
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

function addRules(rules: unknown[], more: unknown): void {
  for (const rule of Array.isArray(more) ? (more as unknown[]) : []) {
    if (!rules.some((known) => semanticallyEqual(known, rule))) rules.push(rule);
  }
}
