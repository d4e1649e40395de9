import type { ApiResponse } from '../http/response.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { resourceResponse } from './response.ts';
import { awaitRevision, revisionOf } from './revisions.ts';

/** Answers `get` of one object (handlers.GetResource). */
export async function getObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request } = exchange;
  const wanted = revisionOf(request.query.get('resourceVersion') ?? '');
  await awaitRevision(machinery, wanted, request.signal);
  const object = await machinery.registry.require(endpoint, info.namespace, info.name);
  return resourceResponse(exchange, 200, object);
}
