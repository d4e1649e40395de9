import { pathSegmentProblems } from '@kubeadmit/apimachinery/internal';
import { decodeListOptions, type ListOptions } from '../options/list-options.ts';
import { booleanOf } from '../options/query-values.ts';

/** What the path and the query of a request ask for (apiserver request.RequestInfo). */
export interface RequestInfo {
  readonly isResource: boolean;
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
  /** Whether the name stands in the path, not only in a selector. */
  readonly isNamed: boolean;
  /** What follows the subresource. */
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

/** Reads what is asked for, without knowing what there is (apiserver `RequestInfoFactory.NewRequestInfo`). */
export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
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

/** The decoded segments of a path; those that cannot be decoded stay as they are. */
export function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  if (trimmed === '') return [];
  return trimmed.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
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
