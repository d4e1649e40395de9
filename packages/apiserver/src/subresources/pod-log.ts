import { notFound } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { ApiResponse } from '../response.ts';

/** Answers `pods/log`: nothing, as kube-apiserver answers for a pod that no node runs. */
export async function getPodLog(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info } = exchange;
  const stored = await machinery.registry.get(endpoint, info.namespace, info.name);
  if (stored === undefined) throw notFound(endpoint.name, info.name);
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: { type: 'text', text: '' },
  };
}
