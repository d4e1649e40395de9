import { BlockList, isIP } from 'node:net';

/** The variables of the environment that name proxies. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy that the environment names for an address (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, or in lower
 * case), as Go's `http.ProxyFromEnvironment` does; empty for none.
 */
export function environmentProxy(server: URL, environment: ProxyEnvironment): string {
  const read = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  const proxy = read(server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY');
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (proxy === '' || isLocal(host)) return '';
  const port = server.port || (server.protocol === 'http:' ? '80' : '443');
  const isExcluded = read('NO_PROXY')
    .split(',')
    .some((each) => excludes(each.trim().toLowerCase(), host, port));
  if (isExcluded) return '';
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function excludes(pattern: string, host: string, port: string): boolean {
  if (pattern === '') return false;
  if (pattern === '*') return true;
  if (pattern.includes('/')) return isInRange(pattern, host);
  const [, name = pattern, wantedPort = ''] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  if (isIP(pattern) !== 0) return pattern === host;
  if (wantedPort !== '' && wantedPort !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  // `example.com` is itself and all below it, `.example.com` only those.
  const suffix = name.replace(/^\*/, '');
  return suffix.startsWith('.')
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
}

function isInRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family) return false;
  const list = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  try {
    list.addSubnet(address, Number(bits), kind);
  } catch {
    return false;
  }
  return list.check(host, kind);
}
