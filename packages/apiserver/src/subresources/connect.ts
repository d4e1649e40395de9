import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { parseVersion } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { mutate, validate } from '../admission/admission-chain.ts';
import { decideRequest, reasonOf } from '../authorization/authorize.ts';
import type { ApiError } from '../errors/api-error.ts';
import {
  badRequest,
  forbiddenError,
  notFound,
  plainFailure,
  serviceUnavailable,
} from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { booleanOf } from '../options/query-values.ts';

/**
 * Answers `exec`, `attach`, `portforward` and `proxy`: asks admission as for a connection, and then fails as
 * kube-apiserver does when nothing runs (handlers.ConnectResource).
 */
export async function connect(exchange: ResourceExchange): Promise<ApiResponse> {
  const { endpoint, info, request } = exchange;
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
  if (subresource?.name !== 'proxy') requireCreate(exchange);
  throw await connectionFailure(exchange);
}

// core/pod/rest `ensureAuthorizedForVerb`: WebSockets begin with GET, whatever the verb of the connection is.
function requireCreate(exchange: ResourceExchange): void {
  const { machinery, info, endpoint } = exchange;
  const minor = parseVersion(machinery.options.kubernetesVersion);
  const isAsked = isFeatureOn('AuthorizePodWebsocketUpgradeCreatePermission', minor);
  if (!isAsked || info.verb === 'create') return;
  const decided = decideRequest(exchange, { ...info, verb: 'create' });
  if (decided.decision === 'allow') return;
  throw forbiddenError(endpoint.name, info.name, reasonOf(decided));
}

async function connectionFailure({
  machinery,
  endpoint,
  info,
}: ResourceExchange): Promise<ApiError> {
  const isProxy = endpoint.subresource?.name === 'proxy';
  const target = isProxy ? readTarget(info.name) : { name: info.name, port: '' };
  const resource = endpoint.name.name;
  if (target === undefined) {
    return badRequest(`invalid ${resource.slice(0, -1)} request ${quote(info.name)}`);
  }
  const { name, port } = target;
  const stored = await machinery.registry.get(endpoint, info.namespace, name);
  if (resource === 'services') {
    const isUnknown = port !== '' && stored !== undefined && !hasPort(stored.object, port);
    return serviceUnavailable(
      isUnknown
        ? `no service port ${port} found for service ${quote(name)}`
        : `no endpoints available for service ${quote(name)}`,
    );
  }
  if (stored === undefined) return notFound(endpoint.name, name);
  if (resource === 'pods' && isProxy) return badRequest('address not allowed');
  if (resource === 'pods' && !member(member(stored.object, 'spec'), 'nodeName')) {
    return badRequest(`pod ${name} does not have a host assigned`);
  }
  return plainFailure('no preferred addresses found; known addresses: []');
}

// `[scheme:]name[:port]` (apimachinery net.SplitSchemeNamePort); undefined for anything else.
function readTarget(id: string): { readonly name: string; readonly port: string } | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  const isValid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme);
  return isValid ? { name, port } : undefined;
}

function hasPort(service: KubernetesObject, wanted: string): boolean {
  const ports = memberList(member(service, 'spec'), 'ports');
  return ports.some((port) =>
    ['name', 'port'].some((field) => String(member(port, field) ?? '') === wanted),
  );
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
