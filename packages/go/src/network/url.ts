import { cut } from '../text/cut.ts';
import {
  byteString,
  escapeUrl,
  isWellEscaped,
  quoteBytes,
  textOfBytes,
  type UrlError,
  unescapeUrl,
} from './url-escape.ts';
import { parseUrlHost, splitHostPort } from './url-host.ts';

/** The parts of a URL as Go's `url.URL` holds them, all as byte strings. */
interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly host: string;
  /** The path as written. */
  readonly path: string;
  readonly query: string;
  /** There is a `?` with nothing after it. */
  readonly forceQuery: boolean;
  /** There is a scheme and a path but no `//`. */
  readonly omitHost: boolean;
}

const noParts: UrlParts = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  query: '',
  forceQuery: false,
  omitHost: false,
};

/** A parsed URL, with the accessors that CEL has. */
export class Url {
  readonly #parts: UrlParts;
  readonly #fragment: string;

  constructor(parts: UrlParts, fragment: string) {
    this.#parts = parts;
    this.#fragment = fragment;
  }

  /** The scheme in lower case; empty for a path. */
  get scheme(): string {
    return this.#parts.scheme;
  }

  /** Host and port, with brackets around an IPv6 address. */
  get host(): string {
    return textOfBytes(this.#parts.host);
  }

  /** The host without port and brackets. */
  get hostname(): string {
    return textOfBytes(splitHostPort(this.#parts.host).host);
  }

  /** The port; empty if absent. */
  get port(): string {
    return splitHostPort(this.#parts.host).port;
  }

  /** The path with everything escaped that has to be. */
  get escapedPath(): string {
    return textOfBytes(reescape(this.#parts.path, 'path'));
  }

  /** The user, escaped, with the password; `undefined` if absent. */
  get user(): string | undefined {
    const { user } = this.#parts;
    return user && textOfBytes(userText(user));
  }

  /** The part after `#`, unescaped. */
  get plainFragment(): string {
    return textOfBytes(plainOf(this.#fragment, 'fragment'));
  }

  /** The part after `?`, unchanged. */
  get rawQuery(): string {
    return textOfBytes(this.#parts.query);
  }

  /** The pairs of the query, in order; those that are not well-formed are left out. */
  get query(): readonly (readonly [key: string, value: string])[] {
    return parseQuery(this.#parts.query);
  }

  /** The members of Go's `url.URL`, as `encoding/json` writes them. */
  toMembers(): Readonly<Record<string, boolean | object | string | null>> {
    const { scheme, opaque, user, host, path, query, forceQuery, omitHost } = this.#parts;
    return {
      Scheme: scheme,
      Opaque: textOfBytes(opaque),
      // The fields of `url.Userinfo` are not exported.
      User: user === undefined ? null : {},
      Host: textOfBytes(host),
      Path: textOfBytes(plainOf(path, 'path')),
      Fragment: this.plainFragment,
      RawQuery: textOfBytes(query),
      RawPath: textOfBytes(rawOf(path, 'path')),
      RawFragment: textOfBytes(rawOf(this.#fragment, 'fragment')),
      ForceQuery: forceQuery,
      OmitHost: omitHost,
    };
  }

  /** The whole URL, as Go's `URL.String`. */
  toString(): string {
    const { scheme, opaque, query, forceQuery } = this.#parts;
    const start = scheme === '' ? '' : `${scheme}:`;
    const middle = opaque === '' ? this.#hierarchy(start) : start + opaque;
    const search = forceQuery || query !== '' ? `?${query}` : '';
    const hash = this.#fragment === '' ? '' : `#${reescape(this.#fragment, 'fragment')}`;
    return textOfBytes(middle + search + hash);
  }

  #hierarchy(start: string): string {
    const { scheme, user, host, omitHost, path } = this.#parts;
    let text = start;
    if (!(omitHost && host === '' && user === undefined) && (scheme || host || user)) {
      text += host !== '' || path !== '' || user !== undefined ? '//' : '';
      text += user === undefined ? '' : `${userText(user)}@`;
      text += escapeUrl(host, 'host');
    }
    const escaped = path === '*' ? '*' : reescape(path, 'path');
    return text + (escaped !== '' && !escaped.startsWith('/') && host !== '' ? '/' : '') + escaped;
  }
}

function userText(user: { readonly name: string; readonly password: string | undefined }): string {
  const name = escapeUrl(user.name, 'password');
  return user.password === undefined ? name : `${name}:${escapeUrl(user.password, 'password')}`;
}

/** Without escapes. The text was found to have good ones. */
function plainOf(written: string, part: 'fragment' | 'path'): string {
  const plain = unescapeUrl(written, part);
  return typeof plain === 'string' ? plain : '';
}

/** Returns the text if Go would escape it differently (`RawPath`, `RawFragment`), and an empty string otherwise. */
function rawOf(written: string, part: 'fragment' | 'path'): string {
  return escapeUrl(plainOf(written, part), part) === written ? '' : written;
}

/** Keeps a text that is escaped well; escapes it again otherwise. */
function reescape(written: string, part: 'fragment' | 'path'): string {
  if (isWellEscaped(written, part)) return written;
  const plain = unescapeUrl(written, part);
  return typeof plain === 'string' ? escapeUrl(plain, part) : written;
}

/**
 * Returns the error of Go's `url.ParseRequestURI` for a text that is not an absolute URL or path, or `undefined`.
 */
export function requestUriError(text: string): UrlError | undefined {
  const bytes = byteString(text);
  const parts = parseParts(bytes, true);
  return 'error' in parts ? failure(bytes, parts) : undefined;
}

/** Parses an absolute URL or path as Kubernetes' `url()`; never throws for a string. */
export function parseUrl(text: string): Url | UrlError {
  return requestUriError(text) ?? parseReference(text);
}

/** Parses any URL, also one relative to another, as Go's `url.Parse`; never throws. */
export function parseReference(text: string): Url | UrlError {
  const bytes = byteString(text);
  const [withoutFragment, fragment = ''] = cut(bytes, '#');
  const parts = parseParts(withoutFragment, false);
  if ('error' in parts) return failure(withoutFragment, parts);
  const plain = unescapeUrl(fragment, 'fragment');
  return typeof plain === 'string' ? new Url(parts, fragment) : failure(bytes, plain);
}

function failure(bytes: string, problem: UrlError): UrlError {
  return { error: `parse ${quoteBytes(bytes)}: ${problem.error}` };
}

function parseParts(bytes: string, viaRequest: boolean): UrlParts | UrlError {
  if (/[^ -~\u0080-\u00ff]/.test(bytes)) {
    return { error: 'net/url: invalid control character in URL' };
  }
  if (bytes === '' && viaRequest) return { error: 'empty url' };
  if (bytes === '*') return { ...noParts, path: '*' };
  if (bytes.startsWith(':')) return { error: 'missing protocol scheme' };
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes)?.[1];
  const scheme = written?.toLowerCase() ?? '';
  const afterScheme = written === undefined ? bytes : bytes.slice(written.length + 1);
  const [rest, query] = cut(afterScheme, '?');
  const parts = { ...noParts, scheme, query: query ?? '', forceQuery: query === '' };
  if (!rest.startsWith('/')) {
    return scheme === '' ? parseRelative(parts, rest, viaRequest) : { ...parts, opaque: rest };
  }
  return parseAuthorityAndPath(parts, rest, viaRequest);
}

function parseRelative(parts: UrlParts, rest: string, viaRequest: boolean): UrlParts | UrlError {
  if (viaRequest) return { error: 'invalid URI for request' };
  if (/^[^/]*:/.test(rest)) return { error: 'first path segment in URL cannot contain colon' };
  return withPath(parts, rest);
}

function parseAuthorityAndPath(
  parts: UrlParts,
  rest: string,
  viaRequest: boolean,
): UrlParts | UrlError {
  const hasScheme = parts.scheme !== '';
  const mayHaveHost = hasScheme || (!viaRequest && !rest.startsWith('///'));
  if (!mayHaveHost || !rest.startsWith('//')) {
    return withPath({ ...parts, omitHost: hasScheme }, rest);
  }
  const [written, path] = cut(rest.slice(2), '/');
  const authority = parseAuthority(parts.scheme, written);
  if ('error' in authority) return authority;
  return withPath({ ...parts, ...authority }, path === undefined ? '' : `/${path}`);
}

function withPath(parts: UrlParts, path: string): UrlParts | UrlError {
  const plain = unescapeUrl(path, 'path');
  return typeof plain === 'string' ? { ...parts, path } : plain;
}

function parseAuthority(
  scheme: string,
  authority: string,
): Pick<UrlParts, 'host' | 'user'> | UrlError {
  const at = authority.lastIndexOf('@');
  const host = parseUrlHost(scheme, authority.slice(at + 1));
  if (typeof host !== 'string') return host;
  if (at === -1) return { host, user: undefined };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9._:~!$&'()*+,;=%@-]*$/.test(userinfo)) {
    return { error: 'net/url: invalid userinfo' };
  }
  const [writtenName, writtenPassword] = cut(userinfo, ':');
  const name = unescapeUrl(writtenName, 'password');
  if (typeof name !== 'string') return name;
  const password = writtenPassword && unescapeUrl(writtenPassword, 'password');
  return typeof password === 'object' ? password : { host, user: { name, password } };
}

const mostQueryPairs = 10_000;

function parseQuery(query: string): (readonly [string, string])[] {
  const settings = query.split('&');
  const pairs: (readonly [string, string])[] = [];
  if (settings.length > mostQueryPairs) return pairs;
  for (const setting of settings) {
    if (setting === '' || setting.includes(';')) continue;
    const [key, value] = cut(setting, '=').map((part = '') => unescapeUrl(part, 'query'));
    if (typeof key === 'string' && typeof value === 'string') {
      pairs.push([textOfBytes(key), textOfBytes(value)]);
    }
  }
  return pairs;
}
