/** Whether a name in a certificate is an address, of IPv4 or IPv6. */
export function isAddress(name: string): boolean {
  return /^\d+(?:\.\d+){3}$/.test(name) || name.includes(':');
}
