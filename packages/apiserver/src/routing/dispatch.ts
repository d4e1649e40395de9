import { findResource } from '@kubeadmit/schemas';
import { isBuiltinGroup } from '../discovery/served-groups.ts';
import { PlainError } from '../errors/api-error.ts';
import {
  methodNotAllowed,
  methodNotSupported,
  notFound,
  resourceNotFound,
} from '../errors/failures.ts';
import { headerOf } from '../http/request.ts';
import type { ApiResponse } from '../http/response.ts';
import { customDeprecationOf, deprecationOf } from '../kinds/deprecations.ts';
import { type Endpoint, findEndpoint } from '../kinds/endpoint.ts';
import type { Exchange, ResourceExchange } from '../machinery/machinery.ts';
import { type Negotiated, negotiate, negotiateStream } from '../negotiation/negotiate.ts';
import { connect } from '../subresources/connect.ts';
import { subresourceHandler } from '../subresources/handlers.ts';
import { createResource } from '../verbs/create.ts';
import { deleteCollection, deleteResource } from '../verbs/delete.ts';
import { getObject } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import { checkPatchType, patchResource } from '../verbs/patch.ts';
import { reviewHandler } from '../verbs/reviews.ts';
import { updateResource } from '../verbs/update.ts';
import { watchObjects } from '../watching/watch.ts';

type Handler = (exchange: ResourceExchange) => Promise<ApiResponse>;

const handlers: Readonly<Record<string, Handler>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createResource,
  update: updateResource,
  patch: patchResource,
  delete: deleteResource,
  deletecollection: deleteCollection,
};

/** Answers a request for a resource. */
export async function dispatch(exchange: Exchange): Promise<ApiResponse> {
  const { info, machinery } = exchange;
  const { schemas } = machinery.cluster;
  // Paths that begin with `proxy` have a verb for authorizers, and no handler.
  if (info.verb === 'proxy') throw resourceNotFound();
  const endpoint = findEndpoint(schemas, info);
  if (endpoint === undefined) throw notServed(exchange);
  checkScope(exchange, endpoint);
  const { resource } = endpoint;
  const deprecation =
    resource.definition === undefined
      ? deprecationOf(resource, schemas.version)
      : customDeprecationOf(resource, machinery.cluster.definition(resource.definition));
  if (deprecation !== undefined) exchange.warnings.push(deprecation);
  const { verb } = info;
  const handler = handlerOf(endpoint, verb, exchange);
  if (verb === 'patch' && endpoint.subresource?.connect !== true)
    checkPatchType({ ...exchange, endpoint, negotiated: plain });
  const negotiated = negotiateFor(exchange, endpoint, verb);
  return handler({ ...exchange, info: { ...info, name: urlName(exchange) }, endpoint, negotiated });
}

// Groups of definitions alone have no router to recognise an unknown resource.
function notServed({ info, machinery }: Exchange): Error {
  const { schemas } = machinery.cluster;
  const isCustom = findResource(schemas, info)?.definition !== undefined;
  if (isCustom && info.subresource !== '') {
    return notFound({ group: info.group, name: info.resource }, info.name);
  }
  return isBuiltinGroup(schemas, info.group)
    ? resourceNotFound()
    : new PlainError(404, '404 page not found\n');
}

const plain: Negotiated = { mediaType: 'application/json', isPretty: false };

// The URL has no name if the name comes only from a selector.
function urlName({ info }: Exchange): string {
  return info.isNamed ? info.name : '';
}

function handlerOf(endpoint: Endpoint, verb: string, exchange: Exchange): Handler {
  const verbs = endpoint.subresource?.verbs ?? endpoint.resource.verbs;
  const { isNamed } = exchange.info;
  if (endpoint.subresource === undefined && isNamed && !verbs.includes('get')) {
    throw resourceNotFound();
  }
  const special =
    subresourceHandler(endpoint) ??
    (endpoint.subresource === undefined ? reviewHandler(endpoint) : undefined);
  const isItem = itemVerbs.has(verb) || (verb === 'watch' && isNamed);
  if (isItem !== isNamed && (isItem || endpoint.subresource === undefined))
    throw methodNotAllowed();
  const { method } = exchange.request;
  if (endpoint.subresource?.name === 'proxy' && proxyMethods.has(method)) return connect;
  const isHead = method === 'HEAD' && !endpoint.isCustom;
  // The path names the verb where it begins with `watch`, whatever the method is.
  const isOtherMethod = verb === 'watch' && method !== 'GET';
  if (isHead || isOtherMethod || !verbs.includes(verb)) {
    throw endpoint.isCustom && endpoint.subresource !== undefined
      ? methodNotSupported(endpoint.name, verb)
      : methodNotAllowed();
  }
  const handler = special ?? handlers[verb];
  if (handler === undefined) throw methodNotAllowed();
  return handler;
}

/** Methods that a proxy forwards although they have no verb (core/node/rest `proxyMethods`). */
const proxyMethods: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

const itemVerbs: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);

// Namespaced resources are reached through a namespace, except to list and watch them all.
function checkScope({ info }: Exchange, { resource }: Endpoint): void {
  const { definition } = resource;
  const isAcross = ['list', 'watch'].includes(info.verb);
  const needsNamespace = resource.namespaced && info.namespace === '' && !isAcross;
  const isNamespace = resource.resource === 'namespaces' && info.name === info.namespace;
  const isMisplaced = !resource.namespaced && info.namespace !== '' && !isNamespace;
  if (needsNamespace && !info.isNamed && definition === undefined) throw methodNotAllowed();
  if (needsNamespace || isMisplaced) {
    throw definition === undefined
      ? resourceNotFound()
      : new PlainError(404, '404 page not found\n');
  }
  if (info.rest.length > 0 && info.subresource !== 'proxy') throw resourceNotFound();
}

function negotiateFor(
  { request, machinery }: Exchange,
  endpoint: Endpoint,
  verb: string,
): Negotiated {
  const options = {
    accept: headerOf(request, 'accept'),
    userAgent: headerOf(request, 'user-agent'),
    pretty: request.query.get('pretty'),
    codecs: machinery.options.codecs,
    isBuiltin: !endpoint.isCustom,
    allowsForms: true,
    isWatchable: verb === 'list',
  };
  return verb === 'watch' ? negotiateStream(options) : negotiate(options);
}
