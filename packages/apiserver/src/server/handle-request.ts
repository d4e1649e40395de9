import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { authorize } from '../authorization/authorize.ts';
import { impersonatedUser } from '../authorization/impersonate.ts';
import { ApiError, PlainError } from '../errors/api-error.ts';
import { badRequest, internalError } from '../errors/failures.ts';
import { type ApiRequest, headerOf, withSignal } from '../http/request.ts';
import { type RequestInfo, readRequestInfo } from '../http/request-info.ts';
import type { ApiResponse, AuditRecord } from '../http/response.ts';
import { warningHeaders } from '../http/warning-headers.ts';
import { findEndpoint } from '../kinds/endpoint.ts';
import type { Exchange, Machinery } from '../machinery/machinery.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { checkTimeout } from '../options/query-values.ts';
import { dispatch } from '../routing/dispatch.ts';
import { answerPath } from './answer-path.ts';

/** Answers a request by the phases of kube-apiserver's chain of handlers: impersonate, authorize, then the resource or path. */
export async function handleRequest(
  machinery: Machinery,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { method, path, query } = request;
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  const exchange: Exchange = {
    machinery,
    request,
    info: readRequestInfo(method, path, query),
    auditId: headerOf(request, 'audit-id') || machinery.options.randomUid(),
    warnings: [],
    annotations: {},
    audited: {},
  };
  let acting = exchange;
  let response: ApiResponse;
  try {
    if (exchange.info.verb !== 'watch') checkTimeout(query);
    const user = impersonatedUser(exchange);
    if (user !== undefined) {
      acting = { ...exchange, request: withSignal(request, () => request.signal, user) };
    }
    authorize(acting);
    checkSlashes(exchange.info);
    response = await (exchange.info.isResource ? dispatch(acting) : answerPath(acting));
  } catch (error) {
    response = failureResponse(acting, error);
  }
  return finish(exchange, acting, response);
}

// The router knows no path that begins with two slashes, and none of discovery with two between names.
function checkSlashes({ path, isResource }: RequestInfo): void {
  const isUnknown = path.startsWith('//') || (!isResource && /\/\/[^/]/.test(path));
  if (isUnknown) throw new PlainError(404, '404 page not found\n');
}

function finish(exchange: Exchange, acting: Exchange, response: ApiResponse): ApiResponse {
  const warnings = warningHeaders(exchange.warnings);
  const isApi = exchange.info.isResource;
  return {
    ...response,
    headers: {
      'audit-id': exchange.auditId,
      'cache-control': 'no-cache, private',
      ...(warnings.length === 0 ? {} : { warning: warnings }),
      ...response.headers,
    },
    ...(isApi ? { audit: auditOf(exchange, acting, response) } : {}),
  };
}

function auditOf(exchange: Exchange, acting: Exchange, response: ApiResponse): AuditRecord {
  const { info } = exchange;
  const value = response.body.type === 'object' ? response.body.value : undefined;
  const isStatus = value?.['kind'] === 'Status';
  const impersonated =
    acting.request.user === exchange.request.user ? undefined : acting.request.user;
  return {
    auditId: exchange.auditId,
    verb: info.verb,
    user: exchange.request.user,
    impersonatedUser: impersonated,
    objectRef: objectReference(exchange, exchange.audited.requestObject),
    isServed: findEndpoint(exchange.machinery.cluster.schemas, info) !== undefined,
    requestObject: exchange.audited.requestObject,
    responseObject: value,
    ...(isStatus ? { responseStatus: value as never } : {}),
    annotations: exchange.annotations,
  };
}

function objectReference(
  { info }: Exchange,
  object: KubernetesObject | undefined,
): Readonly<Record<string, string>> {
  const { resource, namespace, group, version, subresource } = info;
  const name = info.name || String(member(member(object, 'metadata'), 'name') ?? '');
  const all = {
    resource,
    namespace,
    name,
    apiGroup: group,
    apiVersion: version,
    subresource,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

function failureResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof PlainError) {
    return {
      status: error.code,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      body: { type: 'text', text: error.message },
    };
  }
  const known = knownError(error);
  const value: KubernetesObject = {
    kind: 'Status',
    apiVersion: 'v1',
    ...known.status,
    ...(known.continueToken === undefined ? {} : { metadata: { continue: known.continueToken } }),
  };
  const { mediaType, isPretty } = errorForm(exchange);
  const retry = known.status.details?.retryAfterSeconds;
  return {
    status: known.status.code,
    headers: {
      'content-type': mediaType,
      ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
    },
    body: { type: 'object', value, mediaType, isPretty },
  };
}

// Nesting deeper than the stack is a mistake of the client.
function knownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
  return isTooDeep ? badRequest('the body is nested too deeply') : internalError(errorText(error));
}

// Sends an error in the requested type, if possible.
function errorForm({ request, machinery, info }: Exchange): {
  readonly mediaType: string;
  readonly isPretty: boolean;
} {
  try {
    return negotiate({
      accept: headerOf(request, 'accept'),
      userAgent: headerOf(request, 'user-agent'),
      pretty: request.query.get('pretty'),
      codecs: machinery.options.codecs,
      isBuiltin: info.isResource,
      allowsForms: info.isResource,
    });
  } catch {
    return { mediaType: 'application/json', isPretty: true };
  }
}
