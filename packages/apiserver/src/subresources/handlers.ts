import type { ApiResponse } from '../http/response.ts';
import { type Endpoint, isCore } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { connect } from './connect.ts';
import { createBinding, createEviction, getPodLog } from './pod-actions.ts';
import { answerScale } from './scale.ts';
import { createToken } from './token.ts';

type Handler = (exchange: ResourceExchange) => Promise<ApiResponse>;

/** The handler of a subresource that is not a view of the object, and of bindings; undefined for all others. */
export function subresourceHandler({ subresource, name }: Endpoint): Handler | undefined {
  if (subresource === undefined) return isCore({ name }, 'bindings') ? createBinding : undefined;
  return subresource.connect ? connect : handlers[subresource.name];
}

const handlers: Readonly<Record<string, Handler>> = {
  scale: answerScale,
  eviction: createEviction,
  binding: createBinding,
  log: getPodLog,
  token: createToken,
};
