import { quote } from '@kubeadmit/go/internal';
import { plainFailure, versionTooLarge } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { ApiResponse } from '../response.ts';
import { resourceResponse } from './response.ts';
import { awaitRevision } from './revisions.ts';

/** Answers `get` of one object (handlers.GetResource). */
export async function getObject(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request } = exchange;
  const wanted = request.query.get('resourceVersion') ?? '';
  if (wanted !== '' && !/^\d+$/.test(wanted)) {
    const text = `strconv.ParseUint: parsing ${quote(wanted)}: invalid syntax`;
    throw plainFailure(`resourceVersion: Invalid value: ${quote(wanted)}: ${text}`);
  }
  if (wanted !== '') {
    const current = await awaitRevision(machinery, Number(wanted), request.signal);
    if (current < Number(wanted)) throw versionTooLarge(Number(wanted), current);
  }
  const object = await machinery.registry.require(endpoint, info.namespace, info.name);
  return resourceResponse(exchange, 200, object);
}
