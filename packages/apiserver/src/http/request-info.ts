import { pathSegmentProblems } from '@kubeadmit/apimachinery/names';
import { decodeUtf8Leniently } from '@kubeadmit/go';
import { decodeListOptions, type ListOptions } from '../options/list-options.ts';
import { booleanOf } from '../options/query-values.ts';

/** The parsed path and query of a request (apiserver request.RequestInfo). */
export interface RequestInfo {
  readonly isResource: boolean;
  /** The decoded path of the URL. */
  readonly path: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; else the method. */
  readonly verb: string;
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Whether the path contains the name, rather than only a selector. */
  readonly isNamed: boolean;
  /** The path segments after the subresource. */
  readonly rest: readonly string[];
}

const prefixes: ReadonlySet<string> = new Set(['api', 'apis']);
const specialVerbs: ReadonlySet<string> = new Set(['proxy', 'watch']);
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

const verbsOfMethods: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * Reads the resource, verb and names of a request without knowing which resources exist (apiserver
 * `RequestInfoFactory.NewRequestInfo`).
 *
 * @param url the path of the URL as it was sent
 */
export function readRequestInfo(method: string, url: string, query: URLSearchParams): RequestInfo {
  const path = decodedPath(url);
  const none = { namespace: '', resource: '', subresource: '', name: '', rest: [] };
  const other = {
    ...none,
    isResource: false,
    isNamed: false,
    path,
    verb: method.toLowerCase(),
    prefix: '',
    group: '',
    version: '',
  };
  const parts = segmentsOf(path);
  const [prefix = ''] = parts;
  const head = prefix === 'api' ? 2 : 3;
  if (!prefixes.has(prefix) || parts.length < 3 || parts.length <= head) return other;
  const group = prefix === 'api' ? '' : (parts[1] ?? '');
  const version = parts[head - 1] ?? '';
  let remaining = parts.slice(head);
  let verb = verbsOfMethods[method] ?? '';
  if (specialVerbs.has(remaining[0] ?? '')) {
    if (remaining.length < 2) return other;
    verb = remaining[0] ?? '';
    remaining = remaining.slice(1);
  }
  let namespace = '';
  if (remaining[0] === 'namespaces' && remaining.length > 1) {
    namespace = remaining[1] ?? '';
    if (remaining.length > 2 && !namespaceSubresources.has(remaining[2] ?? '')) {
      remaining = remaining.slice(2);
    }
  }
  const [resource = '', name = '', third = '', ...rest] = remaining;
  const subresource = verb === 'proxy' ? '' : third;
  const isList = name === '' && verb === 'get';
  if (isList) verb = booleanOf(query, 'watch') ? 'watch' : 'list';
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return {
    isResource: true,
    path,
    verb,
    prefix,
    group,
    version,
    namespace,
    resource,
    subresource,
    name: isList ? selectedName(query) : name,
    isNamed: name !== '',
    rest,
  };
}

/** Whether a request is a watch, which lasts as long as its client likes. */
export function isWatch(method: string, path: string, query: URLSearchParams): boolean {
  return method === 'GET' && readRequestInfo(method, path, query).verb === 'watch';
}

/** The segments of a decoded path. */
export function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

/**
 * Decodes the path of a URL at once, as Go's `url.URL` does: an encoded slash separates segments like any other.
 * Bytes that are not UTF-8 become U+FFFD, and invalid escapes stay.
 */
function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  const encoder = new TextEncoder();
  const bytes = path.split(/(%[0-9a-f]{2})/i).flatMap((part, place) => {
    return place % 2 === 1 ? [Number.parseInt(part.slice(1), 16)] : [...encoder.encode(part)];
  });
  return decodeUtf8Leniently(new Uint8Array(bytes));
}

// The name in a selector counts as the name of the request to authorizers, but for options that cannot be decoded.
function selectedName(query: URLSearchParams): string {
  const fields = decodedOptions(query)?.fields ?? [];
  const exact = fields.find(
    ({ field, operator }) => field === 'metadata.name' && operator !== '!=',
  );
  return exact === undefined || pathSegmentProblems(exact.value).length > 0 ? '' : exact.value;
}

function decodedOptions(query: URLSearchParams): ListOptions | undefined {
  try {
    return decodeListOptions(query);
  } catch {
    return undefined;
  }
}
