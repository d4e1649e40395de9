import { isIPv4, isIPv6 } from 'node:net';

/** Whether only programs on the same machine reach an address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) && (host === '::1' || /^::ffff:127\./i.test(host));
}
