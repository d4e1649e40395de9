import type { JsonAnswer, KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { comparableWrite, type Json, type JsonObject } from '@kubeadmit/conformance-tools';
import { pathOf } from './paths.ts';
import type { WriteRequest } from './write-request.ts';

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Sends a write request with `dryRun=All` and returns the comparable part of the answer. */
export async function askWrite(client: KubeClient, request: WriteRequest): Promise<JsonObject> {
  const { verb, resource, namespace, name, subresource, object, patch, patchType, user } = request;
  const path = pathOf(resource, namespace, name, subresource);
  const headers = {
    ...(patchType === undefined ? {} : { 'content-type': patchType }),
    ...(user === undefined
      ? {}
      : { 'impersonate-user': user.username, 'impersonate-group': user.groups }),
  };
  const answer = await client.ask(methods[verb], `${path}?dryRun=All`, object ?? patch, headers);
  return comparableWrite(answerOf(answer));
}

function answerOf({ code, body, warnings }: JsonAnswer): JsonObject {
  const isStatus = body['kind'] === 'Status' && body['apiVersion'] === 'v1';
  return {
    code,
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    [isStatus ? 'status' : 'object']: body as Json,
  } as JsonObject;
}
