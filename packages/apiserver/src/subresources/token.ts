import {
  type KubernetesObject,
  member,
  memberText,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { quote } from '@kubeadmit/go';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { admitUnstored } from '../admission/admission-chain.ts';
import { badRequest, conflict, invalidObject, methodNotAllowed } from '../errors/failures.ts';
import type { BoundObject } from '../host/host.ts';
import type { ApiResponse } from '../http/response.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, nameOf, timeNow, withMetadata } from '../objects/metadata.ts';
import { readWriteOptions } from '../options/write-options.ts';
import { inNamespace } from '../registry/create-object.ts';
import { decodeRequest } from '../verbs/decode-request.ts';
import { objectResponse } from '../verbs/response.ts';
import { isWebhook, tokenRequestErrors } from './token-request-errors.ts';

const requestKind = { group: 'authentication.k8s.io', name: 'TokenRequest' };

/** Issues a token for a service account (registry core/serviceaccount/storage `TokenREST`). */
export async function createToken(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request, negotiated } = exchange;
  const { tokens, clock } = machinery.options;
  if (tokens === undefined) throw methodNotAllowed();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const { namespace, name } = info;
  const object = inNamespace(await decodeRequest(exchange, options), endpoint, namespace);
  let serviceAccount: KubernetesObject = {};
  const complete = async (mutated: KubernetesObject): Promise<KubernetesObject> => {
    requireName(mutated, name);
    serviceAccount = await machinery.registry.require(endpoint, namespace, name);
    requireUid(exchange, mutated, serviceAccount);
    const { uid } = metadataOf(serviceAccount);
    const metadata = { name, namespace, uid, creationTimestamp: timeNow(clock) };
    return withDefaults(withMetadata(mutated, metadata as never), tokens.audiences);
  };
  const completed = await admitUnstored(exchange, object, { name, options, complete });
  const spec = (member(completed, 'spec') ?? {}) as KubernetesObject;
  const bound = await boundObjects(exchange, spec['boundObjectRef']);
  const status = await tokens.issue({ namespace, serviceAccount, spec, bound });
  return objectResponse(201, { ...completed, status }, negotiated);
}

function requireName(object: KubernetesObject, name: string): void {
  const own = nameOf(object);
  if (own === '' || own === name) return;
  const why = 'must match the service account name if specified';
  throw invalidObject(requestKind, name, [invalid('metadata.name', own, why)]);
}

/** Requires the UID of the service account, if the request names one; servers before 1.34 warn. */
function requireUid(
  exchange: ResourceExchange,
  object: KubernetesObject,
  serviceAccount: KubernetesObject,
): void {
  const { uid = '' } = metadataOf(serviceAccount);
  const { uid: given = '' } = metadataOf(object);
  if (given === '' || given === uid) return;
  const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
  if (minorOf(exchange) >= 34) throw conflict(requestKind, nameOf(serviceAccount), why);
  exchange.warnings.push(
    `${why} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`,
  );
}

/** Returns a valid request with the audiences of the server, if it names none. */
function withDefaults(object: KubernetesObject, audiences: readonly string[]): KubernetesObject {
  const own = (member(object, 'spec') ?? {}) as KubernetesObject;
  const asked = Array.isArray(own['audiences']) ? own['audiences'] : [];
  const spec = { ...own, audiences: asked.length > 0 ? asked : audiences };
  const errors = tokenRequestErrors(spec);
  if (errors.length > 0) throw invalidObject(requestKind, '', errors);
  return { ...object, spec, status: {} };
}

function minorOf({ machinery }: ResourceExchange): number {
  return machinery.cluster.plugins.cluster.minor;
}

type BoundKind = BoundObject['kind'];

const boundKinds: ReadonlySet<string> = new Set<BoundKind>(['Pod', 'Secret', 'Node']);

/** Returns the object that a token is bound to, which must exist, and the node of a pod. */
async function boundObjects(
  exchange: ResourceExchange,
  reference: unknown,
): Promise<readonly BoundObject[]> {
  if (reference === undefined || reference === null) return [];
  const { machinery, info } = exchange;
  const { schemas } = machinery.cluster;
  const [kind, apiVersion, name, wanted] = ['kind', 'apiVersion', 'name', 'uid'].map((field) =>
    String(member(reference, field) ?? ''),
  ) as [string, string, string, string];
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const resource = findResourceOfKind(schemas, { group: '', version: 'v1', kind });
  if (group !== '' || !boundKinds.has(kind) || resource === undefined) {
    const gate = isWebhook(reference)
      ? ' (feature gate APIServerWebhookAuthenticationToken is disabled)'
      : '';
    const title = `${group}/${version}, Kind=${kind}`;
    throw badRequest(`cannot bind token to object of type ${title}${gate}`);
  }
  if (kind === 'Node' && minorOf(exchange) < 31) {
    throw badRequest(
      'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
    );
  }
  const bound = endpointOf(schemas, resource);
  const found = await machinery.registry.require(bound, info.namespace, name);
  if (kind === 'Pod') requireAccountOf(found, info.name);
  const uid = metadataOf(found).uid ?? '';
  if (wanted !== '' && wanted !== uid) {
    const why = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group, name: kind }, name, why);
  }
  const own = { kind: kind as BoundKind, name, uid };
  return kind === 'Pod' ? [own, ...(await nodeOf(exchange, found))] : [own];
}

/** Returns the node of a pod, whose name tokens contain since 1.30 (ServiceAccountTokenPodNodeInfo). */
async function nodeOf(
  exchange: ResourceExchange,
  pod: KubernetesObject,
): Promise<readonly BoundObject[]> {
  const name = memberText(member(pod, 'spec'), 'nodeName');
  if (name === '' || minorOf(exchange) < 30) return [];
  const { cluster, registry } = exchange.machinery;
  const resource = findResourceOfKind(cluster.schemas, { group: '', version: 'v1', kind: 'Node' });
  const node = resource && (await registry.get(endpointOf(cluster.schemas, resource), '', name));
  return [{ kind: 'Node', name, uid: node ? (metadataOf(node.object).uid ?? '') : '' }];
}

function requireAccountOf(pod: KubernetesObject, account: string): void {
  if ((member(member(pod, 'spec'), 'serviceAccountName') ?? '') === account) return;
  throw badRequest(
    `cannot bind token for serviceaccount ${quote(account)} to pod running with different serviceaccount name.`,
  );
}
