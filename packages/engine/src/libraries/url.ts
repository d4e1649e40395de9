import { groupBy, memoize } from '@kubeadmit/base';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import { CelMap, noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { parseUrl, requestUriError, type Url } from '@kubeadmit/go';

// Not the values of CEL: as keys of maps, two that were made of one text are two.
// The parser is named in a function, so that programs can load it when there is a URL.
const readUrl = memoize((text: string) => parseUrl(text));

/** The type of URLs in CEL. */
const urlType: Type = structType('kubernetes.URL');

class UrlValue extends OpaqueValue {
  readonly goType: string = 'cel.URL';
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  get type(): Type {
    return urlType;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof UrlValue ? String(this.url) === String(other.url) : noOverload();
  }

  override toString(): string {
    return String(this.url);
  }
}

function queryOf({ url }: UrlValue): Value {
  const query = new CelMap();
  for (const [key, pairs] of groupBy(url.query, ([name]) => name)) {
    query.set(
      key,
      pairs.map(([, value]) => value),
    );
  }
  return query;
}

function accessor(name: string, id: string, read: (url: Url) => string): FunctionRow {
  return [name, id, 'URL.() -> string', ({ url }: UrlValue) => read(url)];
}

function urlOf(text: string): Value {
  const url = readUrl(text);
  return 'error' in url
    ? new CelError(`URL parse error during conversion from string: ${url.error}`)
    : new UrlValue(url);
}

/**
 * URLs (apiserver pkg/cel/library/urls.go).
 *
 * - `url("https://a.b:80/c?d=e").getHost()` is `"a.b:80"`, `getHostname()` is `"a.b"`, `getPort()` `"80"`.
 * - `url("/a b?c=1&c=2").getQuery()` is `{"c": ["1", "2"]}`, `getEscapedPath()` `"/a%20b"`.
 * - `isURL("a")` is false.
 */
export const urlLibrary: Library = {
  name: 'kubernetes.urls',
  functions: functionsOf(
    [
      ['url', 'string_to_url', '(string) -> URL', urlOf],
      accessor('getScheme', 'url_get_scheme', (url) => url.scheme),
      accessor('getHost', 'url_get_host', (url) => url.host),
      accessor('getHostname', 'url_get_hostname', (url) => url.hostname),
      accessor('getPort', 'url_get_port', (url) => url.port),
      accessor('getEscapedPath', 'url_get_escaped_path', (url) => url.escapedPath),
      ['getQuery', 'url_get_query', 'URL.() -> map<string, list<string>>', queryOf],
      [
        'isURL',
        'is_url_string',
        '(string) -> bool',
        (text: string) => requestUriError(text) === undefined,
      ],
    ],
    { URL: urlType },
  ),
};
