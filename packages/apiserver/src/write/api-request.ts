import { member } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { encodeUtf8, formatJson } from '@kubeadmit/go';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import type { ApiRequest } from '../http/request.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { WriteRequest } from './write-request.ts';

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

const patchTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const administrator: UserInfo = {
  username: 'admin',
  uid: 'admin-uid',
  groups: ['system:masters'],
};

/** Options of writes that are parameters of the URL; those of deletions are the body. */
const parameters = ['fieldManager', 'fieldValidation', 'force'];

/** Returns the HTTP request of a write, as a dry run. */
export function apiRequestOf(request: WriteRequest, schemas: Schemas): ApiRequest {
  const { verb, patchType = 'merge', user = administrator } = request;
  const body = bodyOf(request);
  const type = Object.hasOwn(patchTypes, patchType) ? (patchTypes[patchType] ?? '') : patchType;
  return {
    method: methods[verb],
    path: pathOf(request, schemas),
    query: queryOf(request),
    headers: {
      accept: 'application/json',
      'content-type': verb === 'patch' ? type : 'application/json',
      'user-agent': 'kubeadmit',
    },
    ...(body === undefined
      ? {}
      : { readBody: async () => ({ bytes: encodeUtf8(formatJson(body)) }) }),
    user: authenticated(user),
  };
}

function bodyOf({ verb, object, patch, options }: WriteRequest): unknown {
  if (verb === 'patch') return patch ?? object;
  if (verb !== 'delete') return object;
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options, dryRun: ['All'] };
}

function queryOf({ verb, options = {} }: WriteRequest): URLSearchParams {
  const query = new URLSearchParams();
  if (verb === 'delete') return query;
  query.set('dryRun', 'All');
  for (const name of parameters) {
    const value = member(options, name) ?? undefined;
    if (value !== undefined) query.set(name, String(value));
  }
  return query;
}

function pathOf({ verb, resource, subresource, ...place }: WriteRequest, schemas: Schemas): string {
  const { group, version, resource: plural } = resource;
  const { namespace: own, name: ownName } = metadataOf(place.object ?? place.oldObject ?? {});
  const known = listResources(schemas).find(
    (each) => each.group === group && each.version === version && each.resource === plural,
  );
  const namespace = known?.namespaced === false ? '' : (place.namespace ?? own ?? '');
  const isNamed = verb !== 'create' || subresource !== undefined;
  const name = isNamed ? (place.name ?? ownName ?? '') : '';
  return [
    ...(group === '' ? ['', 'api', version] : ['', 'apis', group, version]),
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    plural,
    ...(name === '' ? [] : [name]),
    ...(subresource ? [subresource] : []),
  ]
    .map(encodeURIComponent)
    .join('/');
}

/** The user with the group that every authenticated user has. */
function authenticated(user: UserInfo): UserInfo {
  const groups = user.groups ?? [];
  const isKnown = groups.some((group) => /^system:(un)?authenticated$/.test(group));
  return isKnown ? user : { ...user, groups: [...groups, 'system:authenticated'] };
}
