import { member } from '@kubeadmit/apimachinery';
import { mutate, validate } from '../admission/admission-chain.ts';
import { badRequest, methodNotSupported } from '../errors/failures.ts';
import type { ResourceExchange } from '../machinery.ts';
import { booleanOf } from '../options/query-values.ts';
import type { ApiResponse } from '../response.ts';

/**
 * Answers `exec`, `attach`, `portforward` and `proxy`: asks admission as for a connection, and then refuses, as there
 * are no nodes to connect to (handlers.ConnectResource).
 */
export async function connect(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request } = exchange;
  const stored = await machinery.registry.require(endpoint, info.namespace, info.name);
  const { subresource } = endpoint;
  const options = {
    apiVersion: 'v1',
    kind: subresource?.kind ?? '',
    ...connectOptions(request.query),
  };
  const attributes = {
    endpoint,
    operation: 'CONNECT',
    namespace: info.namespace,
    name: info.name,
    object: options,
    oldObject: null,
    options: null,
    isDryRun: false,
  } as const;
  await mutate(exchange, attributes);
  await validate(exchange, attributes);
  if (endpoint.name.name === 'pods' && !member(member(stored, 'spec'), 'nodeName')) {
    throw badRequest(`pod ${info.name} does not have a host assigned`);
  }
  throw methodNotSupported(endpoint.name, subresource?.name ?? 'connect');
}

function connectOptions(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = {};
  for (const name of ['stdin', 'stdout', 'stderr', 'tty']) {
    const isOn = booleanOf(query, name);
    if (isOn !== undefined) options[name] = isOn;
  }
  for (const name of ['container', 'path']) if (query.has(name)) options[name] = query.get(name);
  const command = query.getAll('command');
  const ports = query.getAll('ports').flatMap((each) => each.split(',').map(Number));
  return {
    ...options,
    ...(command.length === 0 ? {} : { command }),
    ...(ports.length === 0 ? {} : { ports }),
  };
}
