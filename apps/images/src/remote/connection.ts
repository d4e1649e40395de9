/** How requests reach other machines, and which of them are trusted. */
export interface Connection {
  /** Sends a request; does not follow redirects. */
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  /** Whether plain HTTP is allowed with the host of a URL; other hosts must not redirect to it. */
  readonly isTrusted: (url: URL) => boolean;
}

/** The connection of a program that a user starts: HTTPS, and also HTTP on this machine. */
export const publicConnection: Connection = {
  // Looked up for each request, so that it can be replaced.
  fetch: (url, init) => globalThis.fetch(url, init),
  isTrusted: ({ hostname }) => isLocal(hostname),
};

/** Whether a host is this machine, with which plain HTTP is allowed. */
export function isLocal(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return (
    /^(?:.+\.)?localhost$/.test(host) ||
    // WHATWG URLs write IPv4 addresses with four numbers, and those in IPv6 in hexadecimal.
    /^127(?:\.\d+){3}$/.test(host) ||
    ['0.0.0.0', '[::1]', '[::]'].includes(host) ||
    /^\[::(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\]$/.test(host)
  );
}
