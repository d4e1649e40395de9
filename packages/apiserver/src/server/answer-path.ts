import type { KubernetesObject } from '@kubeadmit/apimachinery';
import {
  aggregatedDocument,
  apiVersions,
  groupDocument,
  groupList,
  resourceList,
} from '../discovery/documents.ts';
import { entityTag } from '../discovery/entity-tag.ts';
import { isServedGroup } from '../discovery/served-groups.ts';
import { versionInfo } from '../discovery/version.ts';
import { PlainError } from '../errors/api-error.ts';
import { methodNotAllowed, resourceNotFound } from '../errors/failures.ts';
import { headerOf } from '../http/request.ts';
import { segmentsOf } from '../http/request-info.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { parseAccept } from '../negotiation/accept.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { openApiResponse } from '../openapi/answer.ts';
import { objectResponse, taggedResponse } from '../verbs/response.ts';

const healthPaths: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz']);

/** Answers requests for paths other than resources: discovery, the version, health, OpenAPI. */
export async function answerPath(exchange: Exchange): Promise<ApiResponse> {
  const { machinery, request, info } = exchange;
  const page = await machinery.options.pages?.(info.path, request.query);
  if (page !== undefined) return page;
  const { schemas } = machinery.cluster;
  const [first = '', second = '', third = '', ...rest] = segmentsOf(info.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (first === 'openapi') return openApiResponse(exchange, [second, third, ...rest]);
  if (healthPaths.has(first)) return text('ok');
  if (first === 'version' && second === '') {
    if (!isRead) throw methodNotAllowed();
    const value = versionInfo(machinery.options.kubernetesVersion);
    return objectResponse(200, value, { mediaType: 'application/json', isPretty: true });
  }
  if (info.path === '/') return rootPaths(exchange);
  const isKnown = (first === 'api' || first === 'apis') && rest.length === 0;
  if (!isKnown) throw new PlainError(404, '404 page not found\n');
  if (!isRead && second !== '') throw methodNotAllowed();
  if (second === '') {
    const isCore = first === 'api';
    const aggregated = wantsAggregated(headerOf(request, 'accept'));
    if (aggregated) return aggregatedResponse(exchange, aggregatedDocument(schemas, isCore));
    const address = machinery.options.address ?? '127.0.0.1:6443';
    return document(exchange, isCore ? apiVersions(address) : groupList(schemas));
  }
  const [group, version] = first === 'api' ? ['', second] : [second, third];
  if (!isServedGroup(schemas, group)) throw new PlainError(404, '404 page not found\n');
  const value =
    version === '' ? groupDocument(schemas, group) : resourceList(schemas, group, version);
  if (value === undefined) throw resourceNotFound();
  return document(exchange, value);
}

function text(body: string): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: { type: 'text', text: body },
  };
}

function document({ request, machinery }: Exchange, value: KubernetesObject): ApiResponse {
  const negotiated = negotiate({
    accept: headerOf(request, 'accept'),
    userAgent: headerOf(request, 'user-agent'),
    pretty: request.query.get('pretty'),
    codecs: machinery.options.codecs,
    isBuiltin: false,
    allowsForms: false,
  });
  return objectResponse(200, value, negotiated);
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function wantsAggregated(accept: string | undefined): boolean {
  for (const { type, subtype, parameters } of parseAccept(accept ?? '')) {
    const { g, v, as } = parameters;
    const isJson = type === 'application' && subtype === 'json';
    if (isJson && g === 'apidiscovery.k8s.io' && v === 'v2' && as === 'APIGroupDiscoveryList') {
      return true;
    }
    if (isJson && g === undefined && as === undefined) return false;
  }
  return false;
}

function aggregatedResponse(exchange: Exchange, value: KubernetesObject): ApiResponse {
  return taggedResponse(exchange, value, {
    etag: entityTag(value),
    vary: 'Accept',
    'cache-control': 'public',
    'content-type': aggregatedType,
  });
}

function rootPaths(exchange: Exchange): ApiResponse {
  const { schemas } = exchange.machinery.cluster;
  const groups = groupList(schemas)['groups'] as readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
  const paths = [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...groups.flatMap(({ name, versions }) => [
      `/apis/${name}`,
      ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
    ]),
    '/healthz',
    '/livez',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ].sort();
  return objectResponse(200, { paths }, { mediaType: 'application/json', isPretty: true });
}
