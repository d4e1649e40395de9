import { member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { documentHash, entityTag } from '../discovery/entity-tag.ts';
import { servedGroups } from '../discovery/served-groups.ts';
import { PlainError } from '../errors/api-error.ts';
import { headerOf } from '../http/request.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Exchange, Machinery } from '../machinery/machinery.ts';
import { apiPath } from '../objects/group-version.ts';
import { metadataOf } from '../objects/metadata.ts';
import { jsonResponse, taggedResponse } from '../verbs/response.ts';
import { type OpenApiDocument, openApiDocument } from './documents.ts';
import { swaggerDocument } from './swagger.ts';
import { swaggerBytes } from './swagger-bytes.ts';

const published = new WeakMap<object, Map<string, OpenApiDocument | undefined>>();

/** Answers `/openapi/v2`, `/openapi/v3` and the documents below it. */
export async function openApiResponse(
  exchange: Exchange,
  path: readonly string[],
): Promise<ApiResponse> {
  const [version = '', root = '', ...rest] = path.filter((segment) => segment !== '');
  if (version === 'v2' && root === '') return swaggerResponse(exchange);
  if (version !== 'v3') throw new PlainError(404, '404 page not found\n');
  if (root === '') return indexResponse(exchange);
  const [group, name] = root === 'api' ? ['', rest[0] ?? ''] : [rest[0] ?? '', rest[1] ?? ''];
  return documentResponse(exchange, group, name);
}

function publish(
  machinery: Machinery,
  group: string,
  version: string,
): OpenApiDocument | undefined {
  const { schemas } = machinery.cluster;
  const known = getOrMake(published, schemas, () => new Map<string, OpenApiDocument | undefined>());
  const key = `${group}/${version}`;
  if (!known.has(key)) known.set(key, openApiDocument(machinery, group, version));
  return known.get(key);
}

// Hashes the sources of a document, which is faster than hashing the document: the version and the definitions.
function hashOf({ cluster, options }: Machinery, group: string, version: string): string {
  const definitions = cluster
    .definitions()
    .filter((definition) => member(member(definition, 'spec'), 'group') === group)
    .map((definition) => [metadataOf(definition).uid, metadataOf(definition).generation]);
  return documentHash([options.kubernetesVersion, group, version, definitions]);
}

function pathOf(group: string, version: string): string {
  return apiPath({ group, version }).slice(1);
}

function indexResponse(exchange: Exchange): ApiResponse {
  const { machinery } = exchange;
  const paths: Record<string, { readonly serverRelativeURL: string }> = {};
  for (const { name, versions } of servedGroups(machinery.cluster.schemas)) {
    for (const { version } of versions) {
      const path = pathOf(name, version);
      const hash = hashOf(machinery, name, version);
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
  }
  const value = { paths };
  return taggedResponse(exchange, value, {
    etag: entityTag(value),
    vary: 'Accept',
    'content-type': 'text/plain; charset=utf-8',
  });
}

const year = 365 * 24 * 3600 * 1000;

function documentResponse(exchange: Exchange, group: string, version: string): ApiResponse {
  const { machinery, request } = exchange;
  const hash = hashOf(machinery, group, version);
  const found = publish(machinery, group, version);
  if (found === undefined) {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return { status: 404, headers, body: { type: 'none' } };
  }
  const asked = request.query.get('hash');
  if (asked !== null && asked !== hash) {
    const location = `/openapi/v3/${pathOf(group, version)}?hash=${hash}`;
    return { status: 301, headers: { location }, body: { type: 'none' } };
  }
  const expires = new Date(machinery.options.clock.now() + year).toUTCString();
  return taggedResponse(exchange, found as never, {
    etag: `"${hash}"`,
    vary: 'Accept',
    'content-type': 'application/json',
    ...(asked === null ? {} : { 'cache-control': 'public, immutable', expires }),
  });
}

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function swaggerResponse({ machinery, request }: Exchange): ApiResponse {
  const document = swaggerDocument(machinery);
  if ((headerOf(request, 'accept') ?? '').includes('proto-openapi.spec.v2')) {
    return {
      status: 200,
      headers: { 'content-type': protobufType },
      body: { type: 'bytes', bytes: swaggerBytes(document) },
    };
  }
  return jsonResponse(document as never);
}
