import { cut } from '../text/cut.ts';
import { parseAddress } from './address.ts';
import { quoteBytes, textOfBytes, type UrlError, unescapeUrl } from './url-escape.ts';

/** Parses `host[:port]` of a URL as Go's net/url; returns it unescaped, with brackets and port. */
export function parseUrlHost(scheme: string, host: string): string | UrlError {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return { error: 'invalid IP-literal' };
  if (bracket === 0) return parseIpLiteral(host);
  const first = host.indexOf(':');
  if (first !== -1) {
    // Only HTTP keeps to one colon; database URLs may list several hosts.
    const strict = scheme === 'http' || scheme === 'https';
    const port = host.slice(strict ? first : host.lastIndexOf(':'));
    if (!isOptionalPort(port)) return invalidPort(port);
  }
  return unescapeUrl(host, 'host');
}

function invalidPort(port: string): UrlError {
  return { error: `invalid port ${quoteBytes(port)} after host` };
}

function isOptionalPort(port: string): boolean {
  return /^(?::[0-9]*)?$/.test(port);
}

function parseIpLiteral(host: string): string | UrlError {
  const end = host.lastIndexOf(']');
  if (end === -1) return { error: "missing ']' in host" };
  const port = host.slice(end + 1);
  if (!isOptionalPort(port)) return invalidPort(port);
  const name = unescapeIpLiteral(host.slice(1, end));
  if (typeof name !== 'string') return name;
  const address = parseAddress(textOfBytes(name));
  if ('error' in address) return { error: `invalid host: ${address.error}` };
  return address.family === 4 ? { error: 'invalid IP-literal' } : `[${name}]${port}`;
}

function unescapeIpLiteral(name: string): string | UrlError {
  const [written, zone] = cut(name, '%25');
  const address = unescapeUrl(written, 'host');
  if (typeof address !== 'string' || zone === undefined) return address;
  const rest = unescapeUrl(`%25${zone}`, 'zone');
  return typeof rest === 'string' ? address + rest : rest;
}

/** Splits `host:port` of a parsed URL; brackets around an IPv6 address are removed. */
export function splitHostPort(hostPort: string): { readonly host: string; readonly port: string } {
  const colon = hostPort.lastIndexOf(':');
  const hasPort = colon !== -1 && isOptionalPort(hostPort.slice(colon));
  const host = hasPort ? hostPort.slice(0, colon) : hostPort;
  return {
    host: host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host,
    port: hasPort ? hostPort.slice(colon + 1) : '',
  };
}
