import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { mutate, validate } from '../admission/admission-chain.ts';
import { methodNotAllowed, notFound } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery.ts';
import { timeText } from '../objects/metadata.ts';
import { readWriteOptions } from '../options/write-options.ts';
import type { ApiResponse } from '../response.ts';
import { decodeRequest } from '../verbs/decode-request.ts';
import { objectResponse } from '../verbs/response.ts';

/** Issues a token for a service account (core `serviceaccounts/token`). */
export async function createToken(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request, negotiated } = exchange;
  const { tokens, clock } = machinery.options;
  if (tokens === undefined) throw methodNotAllowed();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const object = await decodeRequest(exchange, options);
  const account = await machinery.registry.get(endpoint, info.namespace, info.name);
  if (account === undefined) throw notFound(endpoint.name, info.name);
  const attributes = {
    endpoint,
    operation: 'CREATE',
    namespace: info.namespace,
    name: info.name,
    object,
    oldObject: null,
    options: options.object,
    isDryRun: options.isDryRun,
  } as const;
  const mutated = (await mutate(exchange, attributes)) ?? object;
  await validate(exchange, { ...attributes, object: mutated });
  const spec = (member(mutated, 'spec') ?? {}) as KubernetesObject;
  const status = await tokens.issue({
    namespace: info.namespace,
    serviceAccount: account.object,
    spec,
  });
  const metadata = {
    name: info.name,
    namespace: info.namespace,
    creationTimestamp: timeText(clock.now()),
  };
  const { kind, apiVersion } = mutated;
  return objectResponse(201, { kind, apiVersion, metadata, spec, status }, negotiated);
}
