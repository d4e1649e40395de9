import { parseInt64 } from '../number/parse-integer.ts';
import { quote } from '../quote/quote.ts';
import { type Address, type AddressError, formatAddress, parseAddress } from './address.ts';

/** A network address (CIDR), with the bits of its host kept. */
export interface Prefix {
  /** The address as written, with the bits behind the prefix. */
  readonly address: Address;
  /** How many bits, from the first on, are those of the network. */
  readonly length: number;
}

/** Parses an address with a prefix length as Go's `netip.ParsePrefix`; never throws. */
export function parsePrefix(text: string): Prefix | AddressError {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return failure(text, "no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('error' in address) return failure(text, address.error);
  if (address.zone !== '') return failure(text, 'IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  const length = /^(?:[0-9]|[1-9][0-9]+)$/.test(bits) ? parseInt64(bits) : undefined;
  if (typeof length !== 'bigint') return failure(text, `bad bits after slash: ${quote(bits)}`);
  return length > widthOf(address)
    ? failure(text, 'prefix length out of range')
    : { address, length: Number(length) };
}

function failure(text: string, reason: string): AddressError {
  return { error: `netip.ParsePrefix(${quote(text)}): ${reason}` };
}

function widthOf(address: Address): number {
  return address.family === 4 ? 32 : 128;
}

/** Prints the address with its host bits and the length, as Go's `Prefix.String`. */
export function formatPrefix(prefix: Prefix): string {
  return `${formatAddress(prefix.address)}/${prefix.length}`;
}

function networkBits(address: Address, length: number): bigint {
  return address.bits >> BigInt(widthOf(address) - length);
}

/** The same network with the bits of the host cleared. */
export function maskPrefix(prefix: Prefix): Prefix {
  const { address, length } = prefix;
  const host = BigInt(widthOf(address) - length);
  return { address: { ...address, bits: (address.bits >> host) << host }, length };
}

/** Whether the network contains the address; never when they are of different families. */
export function prefixContainsAddress(prefix: Prefix, address: Address): boolean {
  return (
    prefix.address.family === address.family &&
    networkBits(prefix.address, prefix.length) === networkBits(address, prefix.length)
  );
}

/** Whether the network contains all of another one. */
export function prefixContainsPrefix(prefix: Prefix, other: Prefix): boolean {
  return prefix.length <= other.length && prefixContainsAddress(prefix, other.address);
}
