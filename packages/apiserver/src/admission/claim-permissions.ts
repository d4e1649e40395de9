import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { semanticallyEqual } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';
import { parseVersion } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { decideRequest, reasonOf, refusal } from '../authorization/authorize.ts';
import { invalidObject } from '../errors/failures.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { nameOf } from '../objects/metadata.ts';
import type { AdmissionAttributes } from './attributes.ts';

/**
 * Throws the 422 of a user who changes parts of the status of a ResourceClaim without the permission for them (registry
 * resource `AuthorizedForBinding`, `AuthorizedForDeviceStatus`).
 */
export function checkClaimPermissions(
  exchange: Exchange,
  { endpoint, object, oldObject }: AdmissionAttributes,
): void {
  const { group, name } = endpoint.name;
  const isStatus = endpoint.subresource?.name === 'status';
  if (group !== 'resource.k8s.io' || name !== 'resourceclaims' || !isStatus) return;
  const minor = parseVersion(exchange.machinery.options.kubernetesVersion);
  if (!isFeatureOn('DRAResourceClaimGranularStatusAuthorization', minor)) return;
  if (object === null || oldObject === null) return;
  const errors = [...bindingErrors(exchange, object, oldObject)];
  if (member(member(object, 'status'), 'allocation')) {
    errors.push(...deviceErrors(exchange, object, oldObject));
  }
  if (errors.length === 0) return;
  throw invalidObject({ group, name: endpoint.kind.kind }, nameOf(object), errors);
}

function bindingErrors(
  exchange: Exchange,
  object: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const [status, before] = [member(object, 'status'), member(old, 'status')];
  const isSame = ['allocation', 'reservedFor'].every((field) =>
    semanticallyEqual(member(status, field), member(before, field)),
  );
  if (isSame) return [];
  const { verb } = exchange.info;
  const asked = { subresource: 'binding', verb, namespace: '', name: '' };
  const why = missingPermission(exchange, asked);
  if (why === undefined) return [];
  const needed = `resource="resourceclaims/binding", verb="${verb}" permission`;
  const text = `changing status.allocation or status.reservedFor requires ${needed}: ${why}`;
  return [forbidden('status.allocation', text)];
}

function deviceErrors(
  exchange: Exchange,
  object: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const { verb } = exchange.info;
  const prefixes = isOnNodeOf(exchange, object)
    ? ['associated-node:', 'arbitrary-node:']
    : ['arbitrary-node:'];
  const verbs = prefixes.map((prefix) => prefix + verb);
  return changedDrivers(object, old).flatMap((name) => {
    const missing = verbs.map((wanted) =>
      missingPermission(exchange, { subresource: 'driver', verb: wanted, name }),
    );
    const [why] = missing;
    if (why === undefined || missing.includes(undefined)) return [];
    const needed = `resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    return [forbidden('status.devices', `changing status.devices requires ${needed}: ${why}`)];
  });
}

/** The drivers whose devices are added, changed or removed. */
function changedDrivers(object: KubernetesObject, old: KubernetesObject): readonly string[] {
  const [after, before] = [devicesOf(object), devicesOf(old)];
  const keys = new Set([...after.keys(), ...before.keys()]);
  const changed = [...keys].filter((key) => !semanticallyEqual(after.get(key), before.get(key)));
  const drivers = changed.map((key) => memberText(after.get(key) ?? before.get(key), 'driver'));
  return [...new Set(drivers)].sort(compareText);
}

function devicesOf(claim: KubernetesObject): ReadonlyMap<string, unknown> {
  const devices = memberList(member(claim, 'status'), 'devices');
  const fields = ['driver', 'pool', 'device', 'shareID'];
  return new Map(
    devices.map((device) => [
      JSON.stringify(fields.map((field) => memberText(device, field))),
      device,
    ]),
  );
}

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** Whether the user is a service account on the node for which the claim is allocated. */
function isOnNodeOf({ request: { user } }: Exchange, claim: KubernetesObject): boolean {
  const [node, ...others] = user.extra?.[nodeNameKey] ?? [];
  const isAccount = user.username?.startsWith('system:serviceaccount:') === true;
  return isAccount && node !== undefined && others.length === 0 && node === allocatedNode(claim);
}

function allocatedNode(claim: KubernetesObject): string | undefined {
  const allocation = member(member(claim, 'status'), 'allocation');
  const terms = memberList(member(allocation, 'nodeSelector'), 'nodeSelectorTerms');
  const [term] = terms;
  const [field, ...others] = memberList(term, 'matchFields');
  const isOne = terms.length === 1 && memberList(term, 'matchExpressions').length === 0;
  if (!isOne || others.length > 0 || memberText(field, 'key') !== 'metadata.name') return undefined;
  const values = memberList(field, 'values');
  if (memberText(field, 'operator') !== 'In' || values.length !== 1) return undefined;
  return String(values[0]);
}

function missingPermission(exchange: Exchange, asked: Partial<RequestInfo>): string | undefined {
  const wanted = { ...exchange.info, ...asked };
  const decided = decideRequest(exchange, wanted);
  if (decided.decision === 'allow') return undefined;
  return refusal(wanted, exchange.request.user, reasonOf(decided)).status.message;
}
