import { semanticallyEqual } from '@kubeadmit/admission/internal';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { memberText } from '@kubeadmit/apimachinery/internal';
import type { UserInfo } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go/internal';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { mayDo } from '../authorization/authorizer-user.ts';
import { invalidObject } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import { groupVersionOf } from '../objects/group-version.ts';
import { nameOf } from '../objects/metadata.ts';
import type { AdmissionAttributes } from './attributes.ts';

const group = 'admissionregistration.k8s.io';

/**
 * Refuses policies and bindings that let their author read parameters that he may not read himself (registry
 * admissionregistration, `authz.go`).
 */
export function checkPolicyPermissions(exchange: Exchange, attributes: AdmissionAttributes): void {
  const { endpoint, object, oldObject, operation } = attributes;
  const { kind } = endpoint.kind;
  const isPolicy = endpoint.kind.group === group && endpoint.subresource === undefined;
  if (!isPolicy || object === null || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
  if (exchange.request.user.groups?.includes('system:masters')) return;
  const field = kind.endsWith('Policy') ? 'paramKind' : kind.endsWith('Binding') ? 'paramRef' : '';
  const value = member(member(object, 'spec'), field);
  if (field === '' || value === undefined) return;
  const isUnchanged =
    oldObject !== null &&
    semanticallyEqual(value, member(member(oldObject, 'spec'), field)) &&
    (field === 'paramKind' ||
      member(member(object, 'spec'), 'policyName') ===
        member(member(oldObject, 'spec'), 'policyName'));
  if (isUnchanged) return;
  const why =
    field === 'paramKind' ? kindProblem(exchange, value) : referenceProblem(exchange, kind, object);
  if (why === undefined) return;
  const path = `spec.${field}`;
  const error = { type: 'FieldValueForbidden', field: path, body: `Forbidden: ${why}` } as const;
  throw invalidObject({ group, name: kind }, nameOf(object), [error]);
}

function kindProblem(exchange: Exchange, paramKind: unknown): string | undefined {
  const apiVersion = memberText(paramKind, 'apiVersion');
  const kind = memberText(paramKind, 'kind');
  const resource = resourceOf(exchange, apiVersion, kind);
  if (mayDo(exchange, 'get', { ...resource, namespace: '*', name: '*' })) return undefined;
  return `user ${userText(exchange.request.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
}

function referenceProblem(
  exchange: Exchange,
  kind: string,
  binding: KubernetesObject,
): string | undefined {
  const spec = member(binding, 'spec');
  const policyName = memberText(spec, 'policyName');
  const user = userText(exchange.request.user);
  const resource =
    kind === 'ValidatingAdmissionPolicyBinding'
      ? 'validatingadmissionpolicies'
      : 'mutatingadmissionpolicies';
  const policy = exchange.machinery.cluster.policy(resource, policyName);
  const everything = { group: '*', resource: '*', namespace: '*', name: '*' };
  if (policy === undefined) {
    if (mayDo(exchange, 'get', everything)) return undefined;
    return `unable to get policy ${policyName} to determine minimum required permissions and user ${user} does not have "get" permission for all groups, versions and resources`;
  }
  const paramKind = member(member(policy, 'spec'), 'paramKind');
  const parameters = resourceOf(
    exchange,
    memberText(paramKind, 'apiVersion'),
    memberText(paramKind, 'kind'),
  );
  const reference = member(spec, 'paramRef');
  const attributes = {
    ...(paramKind === undefined ? everything : parameters),
    namespace: memberText(reference, 'namespace') || '*',
    name: memberText(reference, 'name') || '*',
  };
  if (mayDo(exchange, 'get', attributes)) return undefined;
  return `user ${user} does not have "get" permission on the object referenced by paramRef`;
}

function resourceOf(
  { machinery }: Exchange,
  apiVersion: string,
  kind: string,
): { readonly group: string; readonly resource: string } {
  const named = { ...groupVersionOf(apiVersion), kind };
  const resource = findResourceOfKind(machinery.cluster.schemas, named);
  return { group: named.group, resource: resource?.resource ?? '*' };
}

/** A user as Go prints `*user.DefaultInfo`. */
function userText({ username = '', uid = '', groups, extra }: UserInfo): string {
  const entries = Object.entries(extra ?? {}).sort(([a], [b]) => compareText(a, b));
  const extras = entries.map(([key, values]) => `${key}:[${values.join(' ')}]`).join(' ');
  return `&{${username} ${uid} [${(groups ?? []).join(' ')}] map[${extras}]}`;
}
