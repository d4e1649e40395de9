import { fieldValues } from '@kubeadmit/admission/writes';
import { formatGroupVersion, type KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { quote } from '@kubeadmit/go';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { badRequest, expired } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { versionProblem, withoutMember } from '../objects/metadata.ts';
import { type Selection, selects, selectsAll } from '../objects/selection.ts';
import { type ListOptions, readListOptions } from '../options/list-options.ts';
import { CompactedError, type RangeResult } from '../store/store.ts';
import { readContinueToken, writeContinueToken } from './continue-token.ts';
import { resourceResponse } from './response.ts';
import { awaitRevision } from './revisions.ts';

/** Answers `list` (handlers.ListResource). */
export async function listObjects(exchange: ResourceExchange): Promise<ApiResponse> {
  const options = readListOptions(exchange.request.query);
  const { list } = await readList(exchange, options);
  return resourceResponse(exchange, 200, list);
}

/** The content of a list. */
export interface ReadList {
  readonly list: KubernetesObject;
  readonly items: readonly KubernetesObject[];
}

/** Reads the objects of a list and the position of the next page. */
export async function readList(
  exchange: ResourceExchange,
  options: ListOptions,
): Promise<ReadList> {
  const { endpoint, machinery } = exchange;
  const selection = selectionOf(exchange, options);
  // Where all are selected, a page needs no more entries than it shows.
  const page = await pageOf(exchange, options, selectsAll(selection));
  const found: KubernetesObject[] = [];
  const limit = page.limit === 0 ? Number.POSITIVE_INFINITY : page.limit;
  let last = '';
  let index = 0;
  const { entries } = page.range;
  for (; index < entries.length && found.length < limit; index++) {
    const entry = entries[index];
    if (entry === undefined) break;
    last = entry.key;
    const { object } = machinery.registry.read(entry, endpoint.kind);
    if (selects(selection, object)) found.push(object);
  }
  const remaining = entries.length - index + page.range.remaining;
  const isCut = remaining > 0 && !namesOne(selection);
  const metadata = {
    ...(isCut
      ? { continue: writeContinueToken(page.revision, last.slice(page.prefix.length)) }
      : {}),
    resourceVersion: String(page.revision),
    ...(isCut && selectsAll(selection) ? { remainingItemCount: remaining } : {}),
  };
  const isWhole = endpoint.isCustom || exchange.negotiated.form !== undefined;
  const items = isWhole ? found : found.map(withoutHead);
  const kind = listKindOf(exchange);
  const apiVersion = formatGroupVersion(endpoint.kind);
  const list =
    endpoint.isCustom && exchange.negotiated.form === undefined
      ? { apiVersion, items, kind, metadata: { continue: '', ...metadata } }
      : { kind, apiVersion, metadata, items };
  return { list, items: found };
}

// A list of one name is that object, with nothing behind it.
function namesOne({ fields }: Selection): boolean {
  return fields.some(({ field, operator }) => field === 'metadata.name' && operator === '=');
}

// The same one each time, so that its text is made once.
function withoutHead(object: KubernetesObject): KubernetesObject {
  return getOrMake(headless, object, () =>
    withoutMember(withoutMember(object, 'kind'), 'apiVersion'),
  );
}

const headless: WeakMap<KubernetesObject, KubernetesObject> = new WeakMap();

function listKindOf({ endpoint, machinery }: ResourceExchange): string {
  const found = findDefinition(machinery.cluster.schemas, endpoint.kind);
  return found?.definition.listKind || `${endpoint.kind.kind}List`;
}

/** Returns the selection of a list or watch, or throws the 400 of an unsupported field. */
export function selectionOf(
  { endpoint, info }: ResourceExchange,
  { labels, fields }: ListOptions,
): Selection {
  const { strategy } = endpoint;
  const known = new Set(['metadata.name', 'metadata.namespace', ...strategy.selectableFields]);
  for (const { field } of fields) {
    if (known.has(field)) continue;
    const isPlain = strategy.selectableFields.length === 0 || endpoint.isCustom;
    const hint = isPlain
      ? `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
      : `field label not supported: ${field}`;
    throw badRequest(endpoint.isCustom ? `field label not supported: ${field}` : hint);
  }
  const inName =
    info.name !== '' && !fields.some(({ field }) => field === 'metadata.name')
      ? [{ field: 'metadata.name', operator: '=' as const, value: info.name }]
      : [];
  return {
    labels,
    fields: [...fields, ...inName],
    fieldsOf: (object) => fieldValues(object, strategy),
  };
}

/** The keys of a resource in a namespace, or of all of it. */
export function prefixOf({ endpoint, info }: ResourceExchange): string {
  return endpoint.resource.namespaced && info.namespace !== ''
    ? `${endpoint.keyPrefix}${info.namespace}/`
    : endpoint.keyPrefix;
}

interface Page {
  readonly prefix: string;
  readonly range: RangeResult;
  /** The revision that the page is true of. */
  readonly revision: number;
  readonly limit: number;
}

async function pageOf(
  exchange: ResourceExchange,
  options: ListOptions,
  takesAll: boolean,
): Promise<Page> {
  const { machinery, request } = exchange;
  const { store } = machinery.registry;
  const prefix = prefixOf(exchange);
  const { limit, resourceVersion, resourceVersionMatch, continueToken } = options;
  if (continueToken !== '') return continued(exchange, options, prefix);
  const wanted = resourceVersion === '' ? 0 : parseVersion(resourceVersion);
  await awaitRevision(machinery, wanted, request.signal);
  const isExact =
    wanted > 0 && (resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0));
  if (!isExact) {
    const used = resourceVersion === '0' ? 0 : limit;
    const range = await store.range({
      prefix,
      ...(takesAll && used > 0 ? { limit: used } : {}),
    });
    return { prefix, range, revision: range.revision, limit: used };
  }
  try {
    const range = await store.range({ prefix, revision: wanted });
    return { prefix, range, revision: wanted, limit };
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expired('The resourceVersion for the provided list is too old.');
  }
}

async function continued(
  { machinery }: ResourceExchange,
  { continueToken, resourceVersion, limit }: ListOptions,
  prefix: string,
): Promise<Page> {
  const { start, revision } = readContinueToken(continueToken);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const { store } = machinery.registry;
  if (revision <= 0) {
    const range = await store.range({ prefix, start: prefix + start });
    return { prefix, range, revision: range.revision, limit };
  }
  try {
    const range = await store.range({ prefix, start: prefix + start, revision });
    // Version 0 is whatever is at hand, whole.
    return { prefix, range, revision, limit: resourceVersion === '0' ? 0 : limit };
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expired(expiredText, writeContinueToken(-1, start.replace(/\0$/, '')));
  }
}

const expiredText =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function parseVersion(text: string): number {
  const why = versionProblem(text);
  if (why === undefined) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${quote(text)}: ${why}`,
  );
}
