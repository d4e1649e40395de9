import { type FieldError, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/internal';
import { quote } from '@kubeadmit/go/internal';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { admitUnstored } from '../admission/admission-chain.ts';
import { badRequest, conflict, invalidObject, methodNotAllowed } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { metadataOf, nameOf, timeNow } from '../objects/metadata.ts';
import { readWriteOptions } from '../options/write-options.ts';
import { decodeRequest } from '../verbs/decode-request.ts';
import { objectResponse } from '../verbs/response.ts';

const requestKind = { group: 'authentication.k8s.io', name: 'TokenRequest' };

/** Issues a token for a service account (core `serviceaccounts/token`). */
export async function createToken(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request, negotiated } = exchange;
  const { tokens, clock } = machinery.options;
  if (tokens === undefined) throw methodNotAllowed();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const object = await decodeRequest(exchange, options);
  const named = nameOf(object);
  if (named !== '' && named !== info.name) {
    const why = 'must match the service account name if specified';
    throw invalidObject(requestKind, info.name, [invalid('metadata.name', named, why)]);
  }
  const errors = expirationErrors(member(member(object, 'spec'), 'expirationSeconds'));
  if (errors.length > 0) throw invalidObject(requestKind, '', errors);
  const serviceAccount = await machinery.registry.require(endpoint, info.namespace, info.name);
  await checkBound(exchange, member(member(object, 'spec'), 'boundObjectRef'));
  const mutated = await admitUnstored(exchange, object, { name: info.name, options });
  const spec = (member(mutated, 'spec') ?? {}) as KubernetesObject;
  const { namespace, name } = info;
  const status = await tokens.issue({ namespace, serviceAccount, spec });
  const metadata = { name, namespace, creationTimestamp: timeNow(clock) };
  const { kind, apiVersion } = mutated;
  return objectResponse(201, { kind, apiVersion, metadata, spec, status }, negotiated);
}

// authentication validation `ValidateTokenRequest`
function expirationErrors(seconds: unknown): FieldError[] {
  if (typeof seconds !== 'number') return [];
  const at = 'spec.expirationSeconds';
  if (seconds < 600) {
    return [invalid(at, seconds, 'may not specify a duration less than 10 minutes')];
  }
  return seconds > 2 ** 32
    ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}

const boundKinds: ReadonlySet<string> = new Set(['Pod', 'Secret', 'Node']);

// The object that a token is bound to has to be there.
async function checkBound(
  { machinery, info }: ResourceExchange,
  reference: unknown,
): Promise<void> {
  if (reference === undefined || reference === null) return;
  const kind = String(member(reference, 'kind') ?? '');
  const name = String(member(reference, 'name') ?? '');
  const { schemas } = machinery.cluster;
  const resource = findResourceOfKind(schemas, { group: '', version: 'v1', kind });
  if (!boundKinds.has(kind) || resource === undefined) {
    throw badRequest(`cannot bind token for object of type ${quote(kind)}`);
  }
  const bound = endpointOf(schemas, resource);
  const found = await machinery.registry.require(bound, info.namespace, name);
  const wanted = member(reference, 'uid') ?? '';
  const own = metadataOf(found).uid ?? '';
  if (wanted === '' || wanted === own) return;
  const why = `the UID in the bound object reference (${String(wanted)}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict(bound.name, name, why);
}
