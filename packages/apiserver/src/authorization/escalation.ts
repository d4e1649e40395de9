import {
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
} from '@kubeadmit/admission/roles';
import { changesOwnershipOnly } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { forbiddenError, notFound, plainFailure } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { nameOf } from '../objects/metadata.ts';
import { mayDo } from './authorizer-user.ts';
import { describeRules, quotedList, uncovered } from './rule-coverage.ts';
import { rulesFor, rulesOfReference } from './rule-resolver.ts';

const group = 'rbac.authorization.k8s.io';

/**
 * Refuses roles and bindings that grant more than their author has, unless the author may `escalate` the role or `bind`
 * it (registry rbac `policybased`).
 *
 * @param object the object as the client sent it, after mutating admission
 * @param old the object before an update
 */
export function checkEscalation(
  exchange: ResourceExchange,
  object: KubernetesObject,
  old?: KubernetesObject,
): void {
  const { endpoint, request } = exchange;
  if (endpoint.kind.group !== group || request.user.groups?.includes('system:masters')) return;
  if (old !== undefined && changesOwnershipOnly(object, old)) return;
  const { kind } = endpoint.kind;
  if (kind === 'Role' || kind === 'ClusterRole') checkRole(exchange, object, old);
  else checkBinding(exchange, object);
}

const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

function checkRole(
  exchange: ResourceExchange,
  role: KubernetesObject,
  old: KubernetesObject | undefined,
): void {
  const { endpoint, info } = exchange;
  const wanted = { resource: endpoint.name.name, namespace: info.namespace, name: info.name };
  if (mayDo(exchange, 'escalate', { group, ...wanted })) return;
  const problem = missingRights(exchange, rulesOfRole(role));
  if (problem !== undefined) throw forbiddenError(endpoint.name, nameOf(role), problem);
  if (!aggregates(role) && !(old && aggregates(old))) return;
  if (missingRights(exchange, fullAuthority) === undefined) return;
  const why = 'must have cluster-admin privileges to use the aggregationRule';
  throw forbiddenError(endpoint.name, nameOf(role), why);
}

function aggregates(role: KubernetesObject): boolean {
  return memberList(member(role, 'aggregationRule'), 'clusterRoleSelectors').length > 0;
}

function checkBinding(exchange: ResourceExchange, binding: KubernetesObject): void {
  const { endpoint, info, machinery } = exchange;
  const reference = roleReferenceOf(binding);
  if (mayBind(exchange, reference)) return;
  const { permissions } = machinery.cluster;
  const found = rulesOfReference(permissions, reference, info.namespace);
  if (!('rules' in found)) {
    // The server names the resource of the request, not that of the role.
    throw found.isMissing ? notFound(endpoint.name, reference.name) : plainFailure(found.problem);
  }
  const problem = missingRights(exchange, found.rules);
  if (problem !== undefined) throw forbiddenError(endpoint.name, nameOf(binding), problem);
}

function mayBind(exchange: ResourceExchange, { apiGroup, kind, name }: RoleReference): boolean {
  if (kind !== 'Role' && kind !== 'ClusterRole') return false;
  const { namespace } = exchange.info;
  const resource = `${kind.toLowerCase()}s`;
  return mayDo(exchange, 'bind', { group: apiGroup, resource, namespace, name });
}

/**
 * Describes the permissions that a user would grant without having them (rbac validation `ConfirmNoEscalation`).
 */
function missingRights(
  { machinery, request, info, endpoint }: ResourceExchange,
  wanted: readonly PolicyRule[],
): string | undefined {
  const { user } = request;
  const { permissions } = machinery.cluster;
  const { rules, problems } = rulesFor(permissions, user, info.namespace, endpoint.name.name);
  const missing = uncovered(rules, wanted);
  if (missing.length === 0) return undefined;
  const name = quote(user.username ?? '');
  const told = `user ${name} (groups=${quotedList(user.groups ?? [])}) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`;
  if (problems.length === 0) return told;
  const unique = [...new Set(problems)];
  const aggregate = unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
  return `${told}; resolution errors: [${aggregate}]`;
}
