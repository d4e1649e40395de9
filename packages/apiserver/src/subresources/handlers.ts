import type { Endpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { ApiResponse } from '../response.ts';
import { connect } from './connect.ts';
import { createBinding, createEviction } from './pod-actions.ts';
import { getPodLog } from './pod-log.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { createToken } from './token.ts';

type Handler = (exchange: ResourceExchange) => Promise<ApiResponse>;

/** What answers a subresource in a way of its own; undefined for those that are views of the object. */
export function subresourceHandler({ subresource }: Endpoint): Handler | undefined {
  if (subresource?.connect) return connect;
  switch (subresource?.name) {
    case 'scale':
      return scaleHandler;
    case 'eviction':
      return createEviction;
    case 'binding':
      return createBinding;
    case 'log':
      return getPodLog;
    case 'token':
      return createToken;
    default:
      return undefined;
  }
}

function scaleHandler(exchange: ResourceExchange): Promise<ApiResponse> {
  if (exchange.info.verb === 'get') return getScale(exchange);
  return exchange.info.verb === 'update' ? updateScale(exchange) : patchScale(exchange);
}
