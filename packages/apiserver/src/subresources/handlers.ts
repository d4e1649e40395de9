import type { Endpoint } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery.ts';
import type { ApiResponse } from '../response.ts';
import { connect } from './connect.ts';
import { createBinding, createEviction } from './pod-actions.ts';
import { getPodLog } from './pod-log.ts';
import { answerScale } from './scale.ts';
import { createToken } from './token.ts';

type Handler = (exchange: ResourceExchange) => Promise<ApiResponse>;

/** What answers a subresource in a way of its own; undefined for those that are views of the object. */
export function subresourceHandler({ subresource }: Endpoint): Handler | undefined {
  return subresource?.connect ? connect : handlers[subresource?.name ?? ''];
}

const handlers: Readonly<Record<string, Handler>> = {
  scale: answerScale,
  eviction: createEviction,
  binding: createBinding,
  log: getPodLog,
  token: createToken,
};
